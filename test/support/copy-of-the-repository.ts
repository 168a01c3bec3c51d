import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './root.ts';
import { temporaryFolder } from './temporary-folder.ts';

const linkPackages = (folder: string) =>
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');

const made = ['node_modules', 'dist', 'artefacts', '.demo', '.git'];

/**
 * Copies this repository without what was made in it, but with its packages. The copy is removed after the tests it was
 * made for.
 *
 * @returns its folder
 */
export function copySources(): string {
  const folder = temporaryFolder('sources');
  cpSync(root, folder, { recursive: true, filter: (path) => !made.includes(basename(path)) });
  linkPackages(folder);
  return folder;
}

/** What it takes to build everything. */
const parts = [
  ...['actions', 'data-sources', 'events', 'settings', 'records', 'schema', 'src', 'plugin'],
  'translations',
  ...['build.mjs', 'errors.json', 'manifest.json', 'package.json', 'LICENSE'],
  ...['tsconfig.json', 'tsconfig.types.json', 'demo/node-red/desk.json'],
  'demo/node-red/first-sms.json',
  'demo/node-red/sms-for-each-row.json',
  'demo/node-red/voicemail.json',
];

export interface Copy {
  /** Where a part of it is. */
  path(part: string): string;
  read(part: string): string;
  /** Writes files, by path. */
  write(files: Record<string, string>): void;
  /** Adds a file to a list of the manifest. */
  list(kind: string, file: string): void;
  /** Runs a JavaScript program in it. Throws the output if the program fails. */
  run(...programAndArguments: string[]): void;
  /** The same, without blocking. */
  runMeanwhile(...programAndArguments: string[]): Promise<void>;
}

/**
 * A copy of what it takes to build this repository, with its packages, to add something to. It is removed after the
 * tests it was made for.
 *
 * @param more other parts of it
 */
export function copyRepository(...more: string[]): Copy {
  const folder = temporaryFolder('copy');
  for (const part of [...parts, ...more])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  linkPackages(folder);

  const path = (part: string) => join(folder, part);
  const read = (part: string) => readFileSync(path(part), 'utf8');
  const write = (files: Record<string, string>) => {
    for (const [part, text] of Object.entries(files)) {
      mkdirSync(dirname(path(part)), { recursive: true });
      writeFileSync(path(part), text);
    }
  };
  return {
    ...{ path, read, write },
    list: (kind, file) => {
      const manifest = JSON.parse(read('manifest.json'));
      manifest[kind].push(file);
      write({ 'manifest.json': JSON.stringify(manifest) });
    },
    run: (...args) => {
      const options = { cwd: folder, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
      if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`);
    },
    runMeanwhile: async (...args) => {
      const program = spawn(process.execPath, args, { cwd: folder });
      const output: string[] = [];
      for (const stream of [program.stdout, program.stderr])
        stream.setEncoding('utf8').on('data', (text) => output.push(text));
      const [status] = await once(program, 'close');
      if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${output.join('')}`);
    },
  };
}
