import { batchCost } from '../../src/batch/batch-cost.ts';
import { isAction, operation, planRow, type RowItem } from '../../src/builder.ts';

const action = (id: string) => {
  const found = operation(id);
  if (!isAction(found)) throw new Error(`${id} is no action.`);
  return found;
};

const sms = (to: string, body: string, more: Partial<RowItem> = {}): RowItem => ({
  ...{ who: to, outcome: 'waiting', values: { from: '+14155550100', to, body } },
  ...more,
});

const long = 'a'.repeat(161);

test.each<[string, RowItem[], object]>([
  ['no items', [], { segments: 0, recipients: 0, senders: [], countries: {} }],
  [
    'texts of one and of two segments',
    [sms('+14155550101', 'Hello'), sms('+14155550102', long)],
    { segments: 3, recipients: 2, senders: ['+14155550100'], countries: { US: 2 } },
  ],
  [
    'two texts to one recipient',
    [sms('+14155550101', 'Hello'), sms('+14155550101', 'Bye')],
    { segments: 2, recipients: 1, senders: ['+14155550100'], countries: { US: 2 } },
  ],
  [
    'items that are not sent',
    [
      sms('+14155550101', long, { outcome: 'already-done' }),
      sms('+14155550102', long, { isPending: true }),
      { who: 'Ann', outcome: 'failed', message: 'no number' },
      sms('+14155550103', 'Hello'),
    ],
    { segments: 1, recipients: 1, senders: ['+14155550100'], countries: { US: 1 } },
  ],
])('adds up the segments, recipients and senders of %s', (_, items, cost) => {
  expect(batchCost(action('send-sms'), items)).toEqual(cost);
});

test('counts no segments of an action that is not billed by them', () => {
  const item: RowItem = { who: 'Ann', outcome: 'waiting', values: { callSid: 'CA1' } };
  expect(batchCost(action('create-a-call-recording'), [item])).toEqual({
    ...{ recipients: 1, senders: [] },
  });
});

test.each(['123E+9', '4.36641E+11', '123456E3', 'n/a'])('a row for %j costs nothing', (to) => {
  const send = action('send-sms');
  const row = (values: object) =>
    planRow(send, {
      name: 'Ada',
      filled: ['to'],
      input: () => ({ from: 'ACME', body: 'Hi', ...values }),
    });
  expect(batchCost(send, [row({ to }), row({ to: '+12025550143' })])).toEqual({
    ...{ segments: 1, recipients: 1, senders: ['ACME'], countries: { US: 1 } },
  });
});
