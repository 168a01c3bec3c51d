import { join } from 'node:path';
import { memoryStore } from '../../src/builder.ts';
import { bundleProgram } from '../support/bundle-program.ts';
import { hasSqlite } from '../support/has-sqlite.ts';
import { size } from '../support/size.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sandboxWith } from './lost-responses.ts';
import { startProcess } from './processes.ts';
import { account, sms } from './service.ts';
import { spendsAtMost } from './spends-at-most.ts';

let program: string;
beforeAll(() => {
  program = bundleProgram('test/faults/spending-child.ts');
});

// Another file of each store: the folder has to be one that only this user can open.
const folder = () => join(temporaryFolder('spending'), 'store');

if (hasSqlite) spendsAtMost(() => program, 'SQLite', folder);

// Node-RED's file belongs to one process.
spendsAtMost(
  () => program,
  'Node-RED',
  () => temporaryFolder('spending'),
  1,
);

test('ten programs that share a store in memory send exactly the limit', async () => {
  const sandbox = await sandboxWith();
  const options = { ...account, baseUrl: sandbox.url, store: memoryStore() };
  const programs = Array.from({ length: 10 }, () =>
    startProcess()({ ...options, spending: { perHour: 100 } }),
  );
  const attempts = size(30, 1_000);
  const codes = await Promise.all(
    programs.flatMap((telephony, program) =>
      Array.from({ length: attempts }, (_, index) =>
        telephony
          .run('send-sms', { ...sms, to: `+1202${5_550_000 + index}`, body: `Program ${program}` })
          .then(
            () => 'sent',
            ({ code }) => code,
          ),
      ),
    ),
  );
  expect(codes.filter((code) => code === 'sent')).toHaveLength(100);
  expect(new Set(codes)).toEqual(new Set(['sent', 'limit-reached']));
  expect(sandbox.messages).toHaveLength(100);
}, 600_000);
