import {
  deliveryLog,
  type EventContext,
  type EventOutcome,
  type LimitReached,
  memoryStore,
  raiseLimitReached,
  type TelephonyEvent,
} from '../../src/builder.ts';
import { raisedFixtures } from './fixtures.ts';
import { account } from './signed.ts';

// Events that the plugin raises.

const reached: LimitReached = {
  ...{ limit: 'perHour', most: 1_000, until: new Date('2026-11-21T00:35:00Z') },
  ...{ action: 'Send SMS', message: 'The limit is reached.', accountSid: account.username },
};

function handler() {
  const events: TelephonyEvent[] = [];
  const outcomes: EventOutcome['outcome'][] = [];
  return {
    ...{ events, outcomes },
    options: {
      deliveryLog: deliveryLog(memoryStore()),
      onEvent: (event: TelephonyEvent, _: EventContext) => void events.push(event),
      onOutcome: ({ outcome }: EventOutcome) => void outcomes.push(outcome),
    },
  };
}

test.each(raisedFixtures)(
  'a limit that is reached becomes a complete record: %s',
  async (id, { record }) => {
    const { events, options } = handler();
    await raiseLimitReached({ ...reached, ...Object(record), until: reached.until }, options);
    const sid = expect.stringMatching(/^LR[0-9a-f]{32}$/);
    const accountSid = Object(record).accountSid;
    expect(JSON.parse(JSON.stringify(events))).toEqual([
      { id, record: { ...record, sid, accountSid }, parameters: {} },
    ]);
  },
);

test('the same window is delivered once; another one, another limit and a raised one each again', async () => {
  const { events, outcomes, options } = handler();
  const later = { ...reached, until: new Date('2026-11-21T03:35:00Z') };
  const others = [later, { ...later, limit: 'perDay' as const }, { ...later, most: 2_000 }];
  for (const one of [reached, reached, ...others]) await raiseLimitReached(one, options);
  expect(events).toHaveLength(4);
  expect(outcomes).toEqual(['delivered', 'duplicate', 'delivered', 'delivered', 'delivered']);
});

test('a handler that fails, or a log that does, is reported and rejects nothing', async () => {
  const { outcomes, options } = handler();
  await raiseLimitReached(reached, {
    ...options,
    onEvent: () => Promise.reject(new Error('The flows are not running.')),
  });
  const begin = () => Promise.reject(new Error('away'));
  await raiseLimitReached(reached, {
    ...options,
    deliveryLog: { ...options.deliveryLog, begin },
  });
  expect(outcomes).toEqual(['failed', 'failed']);
});
