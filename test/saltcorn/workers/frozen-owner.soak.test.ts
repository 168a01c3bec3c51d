import { outlivesItsLease } from '../../faults/outlives-its-lease.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { needs, skipWithout } from '../../support/needs.ts';
import { startPostgres } from '../../support/start-postgres.ts';

skipWithout(needs.saltcorn);

// Batches in a PostgreSQL database, which processes reach by Saltcorn's driver.

let program: string;
beforeAll(() => {
  program = bundleProgram('test/faults/freezing-child.ts');
});

outlivesItsLease(() => program, 'PostgreSQL', startPostgres);
