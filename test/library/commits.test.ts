import { execFileSync, spawnSync } from 'node:child_process';
import { root } from '../support/root.ts';

/** Earlier subjects can be longer. */
const last = '5e30ba61e5e33661b3c681152c51f53a7fe3984e';

/** A shallow clone without that commit has only later ones. */
const range =
  spawnSync('git', ['merge-base', '--is-ancestor', last, 'HEAD'], { cwd: root }).status === 0
    ? `${last}..HEAD`
    : 'HEAD';

test('the subjects of commits have at most 72 characters', () => {
  const subjects = execFileSync('git', ['log', '--no-merges', '--format=%s', range], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(subjects.split('\n').filter((subject) => subject.length > 72)).toEqual([]);
});
