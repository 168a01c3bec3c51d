import { RecentReads } from '../../../plugin/saltcorn/account/recent-reads.ts';
import { runOnAccount } from '../../../plugin/saltcorn/bulk/run-on-account.ts';
import type { Row } from '../../../plugin/saltcorn/where/where.ts';
import { connect, definitions, type Page, type Telephony } from '../../../src/builder.ts';
import { answerWith, account as credentials, isolate } from '../../requests/service.ts';

// `requests/run-items.test.ts` tests the outcome of each row, and `bulk-run.test.ts` batches in Saltcorn.

isolate();

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');

const opens: [how: string, open: () => Promise<Telephony>][] = [
  ['ended', async () => connect(credentials)],
  ['failed', () => Promise.reject(new RangeError('A mistake'))],
];

test.each(opens)('lists are read again after a batch that %s', async (how, telephony) => {
  answerWith([{ status: 201, body: { sid: 'SM1' } }]);
  const changed = jest.fn();
  const account = {
    ...{ configuration: {}, settings: async () => credentials, readLimit: 1, changed, telephony },
    reads: new RecentReads<Page<Row>>(0),
  };
  const values = { from: '+14155550100', to: '+12025550143', body: 'Hello' };
  const items = [{ who: 'Ann', outcome: 'waiting' as const, values }];
  const over = runOnAccount(action, account, items, async () => false);
  if (how === 'ended') expect(await over).toEqual([expect.objectContaining({ sid: 'SM1' })]);
  else await expect(over).rejects.toThrow('A mistake');
  expect(changed).toHaveBeenCalledTimes(1);
});
