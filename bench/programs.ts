import { join } from 'node:path';
import { build } from 'esbuild';

const names = ['contender', 'limited-sender', 'loader', 'reader', 'server'] as const;
const folder = join(import.meta.dirname, 'dist');

/** A program of the benchmark that has a process of its own. */
export type Program = (typeof names)[number];

/** Where a program is when it was built. */
export const programFile = (name: Program) => join(folder, `${name}.mjs`);

/** Builds the programs: what reads TypeScript would take time and memory in the processes that are measured. */
export const buildPrograms = () =>
  build({
    entryPoints: names.map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    // As if they ran where their sources are.
    define: { 'import.meta.dirname': JSON.stringify(import.meta.dirname) },
  });
