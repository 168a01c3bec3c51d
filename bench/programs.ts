import { join } from 'node:path';
import { build } from 'esbuild';

const names = [
  'batch-runner',
  'contender',
  'limited-sender',
  'loader',
  'reader',
  'server',
  'web-server',
] as const;
const folder = join(import.meta.dirname, 'dist');

/** A program of the benchmark with its own process. */
export type Program = (typeof names)[number];

/** The path of a built program. */
export const programFile = (name: Program) => join(folder, `${name}.mjs`);

/** Builds the programs: reading TypeScript would cost time and memory in the measured processes. */
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
    // The folder of their sources.
    define: { 'import.meta.dirname': JSON.stringify(import.meta.dirname) },
  });
