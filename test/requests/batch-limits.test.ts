import {
  actionOf,
  type Batch,
  batchLimits,
  batchPart,
  batchView,
  connect,
  inEnglish,
  memoryStore,
  type SpendingLimits,
  sentence,
} from '../../src/builder.ts';
import { sandboxWith } from '../faults/lost-responses.ts';
import { account, sms } from '../faults/service.ts';

// What the preview of a batch says about limits.

const action = actionOf('send-sms');

const batchOf = (recipients: string[], body = sms.body, pooled = 0): Batch<object> => ({
  ...{ key: 'K', button: 'B', owner: 'me', actionId: action.id, state: 'preview', context: {} },
  items: recipients.map((to, index) => ({
    ...{ who: to, outcome: 'waiting' },
    values: { ...sms, to, body, ...(index < pooled && { messagingServiceSid: 'MG1' }) },
  })),
});

const someone = (index: number) => `+1202555${String(index).padStart(4, '0')}`;
const few = [someone(1), someone(2), someone(3)];

const builder = { name: 'A builder', toRepeat: () => sentence('send it alone') };

interface More {
  isConfirmed?: boolean;
  /** How many messages were sent before, to others. */
  before?: number;
  /** What was sent to the first recipient before. */
  toFirst?: number;
  body?: string;
  /** The action, and how many of its rows have a messaging service. */
  actionId?: string;
  pooled?: number;
}

/** The sentences of the preview about limits: warnings after an exclamation mark, and what it uses. */
async function saidOf(
  spending: SpendingLimits | undefined,
  recipients: string[],
  { isConfirmed = false, before = 0, toFirst = 0, body, pooled, actionId = action.id }: More = {},
) {
  const { url: baseUrl } = await sandboxWith();
  const store = memoryStore();
  const open = (limits?: SpendingLimits) =>
    connect({ ...account, baseUrl, store, ...(limits && { spending: limits }) });
  const earlier = open({});
  for (let index = 0; index < before; index += 1)
    await earlier.run('send-sms', { ...sms, to: someone(100 + index) });
  for (let index = 0; index < toFirst; index += 1)
    await earlier.run('send-sms', { ...sms, to: recipients[0] ?? '' });
  const batch = batchOf(recipients, body, pooled);
  const one = actionOf(actionId);
  const limits = await batchLimits(() => open(spending), one, batch, isConfirmed);
  const { sections } = batchPart(one, batchView(one, batch, { limits }), builder);
  return sections
    .filter(({ tone, sentences }) => tone === 'warning' || sentences === limits?.used)
    .flatMap(({ tone, sentences }) =>
      sentences.map((one) => `${tone ? '! ' : ''}${inEnglish(one)}`),
    );
}

/** Quiet hours that are now, or not. */
function quietHours(isNow: boolean) {
  const { hour, minute } = { hour: new Date().getUTCHours(), minute: new Date().getUTCMinutes() };
  const at = (later: number) => {
    const minutes = (hour * 60 + minute + later + 1_440) % 1_440;
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
  };
  return isNow ? `${at(-60)}-${at(120)} UTC` : `${at(120)}-${at(240)} UTC`;
}

const later: SpendingLimits = { quietHours: quietHours(true), inQuietHours: 'send-later' };

test.each<[what: string, spending: SpendingLimits | undefined, more: More, said: unknown[]]>([
  ['nothing without limits', undefined, {}, []],
  ['nothing of defaults that it does not exceed', {}, {}, []],
  [
    'what it uses of a limit',
    { perHour: 4, countries: 'US' },
    { before: 1 },
    ['Uses 3 of the 3 that the limit “Messages per hour” (4) still allows.'],
  ],
  [
    'what it uses of the narrowest limit',
    { perHour: 1_000, perDay: 20, mostSegments: 3, quietHours: quietHours(false) },
    { before: 2, isConfirmed: true },
    ['Uses 3 of the 18 that the limit “Messages per day” (20) still allows.'],
  ],
  [
    'how many rows a limit still allows',
    { perHour: 4 },
    { before: 2 },
    ['! Of these 3 rows, the limit “Messages per hour” (4) allows 2 now. The others are not run.'],
  ],
  [
    'each limit that it exceeds',
    { perHour: 2, perDay: 1, countries: 'FR' },
    { isConfirmed: true },
    [
      '! Of these 3 rows, the limit “Messages per hour” (2) allows 2 now. The others are not run.',
      '! Of these 3 rows, the limit “Messages per day” (1) allows 1 now. The others are not run.',
      '! 3 rows are for a country that “Allowed countries” does not have.',
    ],
  ],
  [
    'which rows take too many SMS',
    { mostSegments: 2 },
    { body: 'x'.repeat(307) },
    ['! 3 rows take more SMS than “SMS per message” (2) allows.'],
  ],
  [
    'which rows are for recipients who get no more',
    { perRecipientPerHour: 2 },
    { toFirst: 2 },
    [
      '! 1 row is for recipients who get no more than “Messages per recipient” (2) allows in an hour.',
    ],
  ],
  ['nothing of a default for recipients, if a person confirms it', {}, { isConfirmed: true }, []],
  [
    'that its rows fall in the quiet hours',
    { quietHours: quietHours(true) },
    {},
    [
      expect.stringMatching(
        /^! 3 rows fall in the “Quiet hours”, which last until 20\d\d-\d\d-\d\d \d\d:\d\d \(UTC\)\. Start the batch after that\.$/,
      ),
    ],
  ],
  [
    'that its rows fall in the quiet hours, if their action can not send later',
    later,
    {},
    [expect.stringMatching(/^! 3 rows fall in the “Quiet hours”, which last until /)],
  ],
  [
    'how many rows are sent after the quiet hours, and how many are not',
    { ...later, perHour: 9 },
    { actionId: 'send-a-message', pooled: 2 },
    [
      expect.stringMatching(
        /^! 1 row falls in the “Quiet hours”, which last until 20\d\d-\d\d-\d\d \d\d:\d\d \(UTC\)\. Start the batch/,
      ),
      'Uses 3 of the 9 that the limit “Messages per hour” (9) still allows.',
      expect.stringMatching(
        /^2 rows fall in the “Quiet hours” and are sent when they end, by 20\d\d-\d\d-\d\d \d\d:\d\d \(UTC\)\.$/,
      ),
    ],
  ],
  [
    'that sending is stopped',
    { stopped: true },
    {},
    ['! “Stop sending” is on, so nothing is sent.'],
  ],
])('says %s', async (_, spending, more, said) => {
  expect(await saidOf(spending, few, more)).toEqual(said);
});

test('says how many rows to one recipient exceed a limit', async () => {
  const same = Array.from({ length: 5 }, () => someone(1));
  expect(await saidOf({ perRecipientPerHour: 3 }, [...same, someone(2)])).toEqual([
    '! 2 rows are for recipients who get no more than “Messages per recipient” (3) allows in an hour.',
  ]);
});

test.each([
  [false, 1],
  [true, 0],
])('warns of a default unless a person confirms the batch: %s', async (isConfirmed, count) => {
  const many = Array.from({ length: 1_001 }, (_, index) => someone(index));
  expect(await saidOf({}, many, { isConfirmed })).toHaveLength(count);
});

test('says nothing while the account cannot be opened, or about a batch in progress', async () => {
  const broken = () => connect({ username: '', password: '' });
  expect(await batchLimits(broken, action, batchOf(few), true)).toBeUndefined();
  const telephony = connect({ ...account, spending: { stopped: true } });
  const running = { ...batchOf(few), state: 'running' as const };
  expect(await batchLimits(() => telephony, action, running, true)).toBeUndefined();
});
