import { spendsAtMost } from '../../faults/spends-at-most.ts';
import { bundleProgram } from '../../support/bundle-program.ts';
import { needs, skipWithout } from '../../support/needs.ts';
import { startPostgres } from '../../support/start-postgres.ts';

skipWithout(needs.saltcorn);

// Limits in a PostgreSQL database, which processes reach by Saltcorn's driver.

let program: string;
beforeAll(() => {
  program = bundleProgram('test/faults/spending-child.ts');
});

spendsAtMost(() => program, 'PostgreSQL', startPostgres);
