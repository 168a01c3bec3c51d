import {
  actionOf,
  type Batch,
  batchPart,
  batchView,
  connect,
  exceededLimits,
  inEnglish,
  memoryStore,
  type SpendingLimits,
  sentence,
} from '../../src/builder.ts';
import { sandboxWith } from '../faults/lost-responses.ts';
import { account, sms } from '../faults/service.ts';

// What the preview of a batch says about limits.

const action = actionOf('send-sms');

const batchOf = (recipients: string[]): Batch<object> => ({
  ...{ key: 'K', button: 'B', owner: 'me', actionId: action.id, state: 'preview', context: {} },
  items: recipients.map((to) => ({ who: to, outcome: 'waiting', values: { ...sms, to } })),
});

const someone = (index: number) => `+1202555${String(index).padStart(4, '0')}`;
const few = [someone(1), someone(2), someone(3)];

const builder = { name: 'A builder', toRepeat: () => sentence('send it alone') };

/** The warnings of the preview, after so many messages. */
async function warningsOf(
  spending: SpendingLimits | undefined,
  recipients: string[],
  { isConfirmed = false, before = 0 } = {},
) {
  const { url: baseUrl } = await sandboxWith();
  const telephony = connect({
    ...account,
    baseUrl,
    store: memoryStore(),
    ...(spending && { spending }),
  });
  for (let index = 0; index < before; index += 1)
    await telephony.run('send-sms', { ...sms, to: someone(100 + index) });
  const batch = batchOf(recipients);
  const limits = await exceededLimits(() => telephony, action, batch, isConfirmed);
  const { sections } = batchPart(action, batchView(action, batch, { limits }), builder);
  return sections
    .filter(({ tone }) => tone === 'warning')
    .flatMap(({ sentences }) => sentences.map(inEnglish));
}

test.each<[what: string, spending: SpendingLimits | undefined, more: object, warnings: string[]]>([
  ['nothing without limits', undefined, {}, []],
  ['nothing within them', { perHour: 4, countries: 'US' }, { before: 1 }, []],
  [
    'how many rows a limit still allows',
    { perHour: 4 },
    { before: 2 },
    ['Of these 3 rows, the limit “Messages per hour” (4) allows 2 now. The others are not run.'],
  ],
  [
    'each limit that it exceeds',
    { perHour: 2, perDay: 1, countries: 'FR' },
    { isConfirmed: true },
    [
      'Of these 3 rows, the limit “Messages per hour” (2) allows 2 now. The others are not run.',
      'Of these 3 rows, the limit “Messages per day” (1) allows 1 now. The others are not run.',
      '3 rows are for a country that “Allowed countries” does not have.',
    ],
  ],
  ['that sending is stopped', { stopped: true }, {}, ['“Stop sending” is on, so nothing is sent.']],
])('says %s', async (_, spending, more, warnings) => {
  expect(await warningsOf(spending, few, more)).toEqual(warnings);
});

test.each([
  [false, 1],
  [true, 0],
])('warns of a default unless a person confirms the batch: %s', async (isConfirmed, count) => {
  const many = Array.from({ length: 1_001 }, (_, index) => someone(index));
  expect(await warningsOf({}, many, { isConfirmed })).toHaveLength(count);
});

test('says nothing while the account cannot be opened, or about a batch in progress', async () => {
  const broken = () => connect({ username: '', password: '' });
  expect(await exceededLimits(broken, action, batchOf(few), true)).toEqual([]);
  const telephony = connect({ ...account, spending: { stopped: true } });
  const running = { ...batchOf(few), state: 'running' as const };
  expect(await exceededLimits(() => telephony, action, running, true)).toEqual([]);
});
