import { execFileSync } from 'node:child_process';

/** Returns the id of a child of a process, by a part of its command. */
export function childOf(pid: number, command: string): number {
  const children = execFileSync('ps', ['--ppid', String(pid), '-o', 'pid=,args='], {
    encoding: 'utf8',
  });
  const [line = ''] = children.split('\n').filter((line) => line.includes(command));
  return Number.parseInt(line, 10);
}
