import { withSender } from '../../plugin/nocobase/server/action/action.ts';
import { type Action, operation } from '../../src/index.ts';

type Values = Record<string, unknown>;

const [usual, own, service] = ['+14155550100', '+14155550199', `MG${'0'.repeat(32)}`];
const cases: [what: string, defaultSender: string, input: Values, expected: Values][] = [
  ['that of the account where there is none', usual, {}, { from: usual }],
  ['that of the account where it is empty', usual, { from: '' }, { from: usual }],
  ['the one that is given', usual, { from: own }, { from: own }],
  [
    'nobody where a messaging service chooses one',
    ...([usual, { messagingServiceSid: service }, { messagingServiceSid: service }] as const),
  ],
  [
    'that of the account where the messaging service is empty',
    ...([usual, { messagingServiceSid: '' }, { messagingServiceSid: '', from: usual }] as const),
  ],
  ['nobody where the account has none', '', {}, {}],
];
test.each(cases)('the sender is %s', (_, defaultSender, input, expected) => {
  const account = { defaultSender } as Parameters<typeof withSender>[1];
  expect(withSender(operation('send-a-message') as Action, account, input)).toEqual(expected);
});
