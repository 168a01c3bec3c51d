import { type Action, operation, withSender } from '../../src/builder.ts';

type Values = Record<string, unknown>;

const [usual, own, service] = ['+14155550100', '+14155550199', `MG${'0'.repeat(32)}`];
const cases: [what: string, defaultSender: string, input: Values, expected: Values][] = [
  ['the default of the account if none is given', usual, {}, { from: usual }],
  ['the default of the account if an empty one is given', usual, { from: '' }, { from: usual }],
  ['the given one', usual, { from: own }, { from: own }],
  [
    'left out if a messaging service chooses one',
    ...([usual, { messagingServiceSid: service }, { messagingServiceSid: service }] as const),
  ],
  [
    'the default of the account if the messaging service is empty',
    ...([usual, { messagingServiceSid: '' }, { messagingServiceSid: '', from: usual }] as const),
  ],
  ['left out if the account has no default', '', {}, {}],
];
test.each(cases)('the sender is %s', (_, defaultSender, input, expected) => {
  const account = { settings: {}, defaultSender } as Parameters<typeof withSender>[1];
  expect(withSender(operation('send-a-message') as Action, account, input)).toEqual(expected);
});
