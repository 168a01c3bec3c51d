import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from './root.ts';
import { temporaryFolder } from './temporary-folder.ts';

const linkPackages = (folder: string) =>
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');

const generated = ['node_modules', 'dist', 'artefacts', '.demo', '.git'];

/**
 * Copies this repository with its packages, without builds and artefacts. The copy is removed after its tests.
 *
 * @returns its folder
 */
export function copySources(): string {
  const folder = temporaryFolder('sources');
  cpSync(root, folder, { recursive: true, filter: (path) => !generated.includes(basename(path)) });
  linkPackages(folder);
  return folder;
}

/** The flows and packs of the demo that packages contain. */
const ofDemo = ['demo/node-red', 'demo/saltcorn'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.json') && !name.startsWith('package'))
    .map((name) => `${folder}/${name}`),
);

/** All that a build needs. */
const parts = [
  ...['actions', 'data-sources', 'events', 'settings', 'records', 'schema', 'src', 'plugin'],
  ...['translations', 'docs/builders'],
  ...['build.mjs', 'errors.json', 'manifest.json', 'package.json', 'LICENSE'],
  ...['tsconfig.json', 'tsconfig.types.json', ...ofDemo],
];

export interface Copy {
  /** The path of one of its files or folders. */
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
 * Copies all that a build needs, with its packages. The copy is removed after its tests.
 *
 * @param more further files and folders
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
