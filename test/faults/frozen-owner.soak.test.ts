import { join } from 'node:path';
import { bundleProgram } from '../support/bundle-program.ts';
import { hasSqlite } from '../support/has-sqlite.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { outlivesItsLease } from './outlives-its-lease.ts';

let program: string;
beforeAll(() => {
  program = bundleProgram('test/faults/freezing-child.ts');
});

// Windows can't freeze a process.
const isPossible = hasSqlite && process.platform !== 'win32';
(isPossible ? describe : describe.skip)('a batch of processes that share SQLite', () => {
  outlivesItsLease(
    () => program,
    'SQLite',
    () => join(temporaryFolder('frozen'), 'store'),
  );
});
