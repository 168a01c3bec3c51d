import { type EventOutcome, eventLog, type TelephonyEvent } from '../../src/builder.ts';

const event = { id: 'sms-received', record: { sid: 'SM1' } } as unknown as TelephonyEvent;

const cases: [what: string, outcomes: EventOutcome[], sentences: string[]][] = [
  [
    'nothing of what was delivered, repeated or late, or is no event',
    [
      ...(['delivered', 'duplicate', 'stale'] as const).map((outcome) => ({ outcome, event })),
      { outcome: 'other' },
    ],
    [],
  ],
  [
    'each event that was not delivered',
    [1, 2].map(() => ({ outcome: 'failed', event, error: new Error('The flow failed.') })),
    Array(2).fill('“SMS received” (SM1) was not delivered: The flow failed.'),
  ],
  [
    'a reply that was not sent',
    [{ outcome: 'reply-not-sent', event, reply: 'A secret', message: 'The reply was not sent.' }],
    ['The reply was not sent.'],
  ],
  [
    'what polling has to say',
    [
      { outcome: 'cursor-reset', message: 'The cursor is broken.' },
      { outcome: 'postponed', message: 'There are too many.' },
    ],
    ['The cursor is broken.', 'There are too many.'],
  ],
  [
    'each reason to refuse a request once',
    [
      { outcome: 'refused', reason: 'signature', message: 'It is not signed.' },
      { outcome: 'refused', reason: 'signature', message: 'It is not signed.' },
      { outcome: 'refused', reason: 'account', message: 'It is of another account.' },
    ] as EventOutcome[],
    ['It is not signed.', 'It is of another account.'],
  ],
];
test.each(cases)('logs %s', (_, outcomes, sentences) => {
  const logged: string[] = [];
  const log = eventLog((message) => logged.push(message));
  for (const outcome of outcomes) log(outcome);
  expect(logged).toEqual(sentences);
});
