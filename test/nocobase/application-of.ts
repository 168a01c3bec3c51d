import { execFileSync } from 'node:child_process';

/** The process of NocoBase itself, next to that of its database. */
export function applicationOf(pid: number): number {
  const children = execFileSync('ps', ['--ppid', String(pid), '-o', 'pid=,args='], {
    encoding: 'utf8',
  });
  const [line = ''] = children.split('\n').filter((line) => line.includes('@nocobase/app'));
  return Number.parseInt(line, 10);
}
