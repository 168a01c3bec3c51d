import { execFileSync } from 'node:child_process';

/** The file of the story that takes each picture of the pages: it calls `picture('NAME'` on one line. */
export const stories = (): Map<string, string> => {
  const args = ['grep', '-oE', String.raw`\bpicture\('[^']+'`, '--', 'test/*.test.ts'];
  const calls = execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n');
  return new Map(
    calls.map((line) => {
      const [file = '', call = ''] = line.split(':');
      return [call.split("'")[1] ?? '', file];
    }),
  );
};
