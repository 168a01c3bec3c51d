import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const { platform, env } = process;

/** Names by system. Linux has those of Debian. */
export type BySystem<T> = { [system in 'linux' | 'darwin' | 'win32']: T };

export const ofThisSystem = <T>(all: BySystem<T>): T =>
  platform === 'darwin' || platform === 'win32' ? all[platform] : all.linux;

export const installWith = (commands: BySystem<string>) =>
  `Install it with: ${ofThisSystem(commands)}`;

export function isProgram(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const onPath = (env.PATH ?? '').split(delimiter);

/** The folder of programs in Windows. */
export const programFiles = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(
  (folder) => folder !== undefined,
);

// These systems have one folder per version, outside of PATH.
const places = ofThisSystem({
  linux: ['/usr/lib/postgresql'],
  darwin: ['/opt/homebrew/opt', '/usr/local/opt', '/Applications/Postgres.app/Contents/Versions'],
  win32: programFiles.map((folder) => join(folder, 'PostgreSQL')),
});

const versions = () =>
  places.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^(postgresql@)?\d/.test(name))
      .sort()
      .reverse()
      .map((version) => join(folder, version, 'bin')),
  );

const ending = platform === 'win32' ? '.exe' : '';

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
export const findPostgresql = (): string | undefined =>
  [...versions(), ...onPath].find((folder) =>
    ['initdb', 'postgres'].every((name) => isProgram(join(folder, name + ending))),
  );

/** How to get PostgreSQL. */
export const postgresqlAdvice = installWith({
  linux: 'apt install postgresql',
  darwin: 'brew install postgresql@17',
  win32: 'winget install PostgreSQL.PostgreSQL.17',
});
