import {
  type Action,
  type Batch,
  definitions,
  type RowItem,
  recipientField,
  testInput,
} from '../../src/builder.ts';

const keys = (): Record<string, string | undefined> =>
  Object.fromEntries(definitions.actions.map((action) => [action.id, recipientField(action)?.key]));

test('finds the recipient of an action by its definition', () => {
  expect(keys()).toEqual({
    'send-sms': 'to',
    'send-a-message': 'to',
    'send-a-template': 'to',
    'send-a-one-time-code': 'to',
    'check-a-one-time-code': 'to',
    'make-a-call': 'to',
    'create-a-call-recording': undefined,
    'end-a-call': undefined,
    'stop-a-call-recording': undefined,
  });
});

const [sms, recording] = ['send-sms', 'create-a-call-recording'].map((id) =>
  definitions.actions.find((action) => action.id === id),
) as [Action, Action];

const ann: RowItem = {
  ...{ who: 'Ann', outcome: 'waiting' },
  values: { from: '+14155550100', to: '+12025550101', body: 'Dear Ann' },
};
const bea: RowItem = { ...ann, who: 'Bea', isPending: true };
const cid: RowItem = { who: 'Cid', outcome: 'already-done' };

const batch = (items: RowItem[], state: Batch<unknown>['state'] = 'preview'): Batch<unknown> => ({
  ...{ key: 'K', owner: 'Ada', actionId: sms.id, button: 'B', context: undefined },
  ...{ state, items },
});

test('tests a batch with the first row that will be sent, and changes nothing', () => {
  const one = batch([cid, bea, ann]);
  const before = structuredClone(one);
  expect(testInput(sms, one, '+12025550199')).toEqual({
    ...{ from: '+14155550100', to: '+12025550199', body: 'Dear Ann' },
  });
  expect(one).toEqual(before);
});

const changed =
  'This preview has changed, so nothing was sent to your number. Preview the batch again.';

test.each<[what: string, action: Action, tested: Batch<unknown>]>([
  ['without a row to send', sms, batch([cid, bea])],
  ['that runs', sms, batch([ann], 'running')],
  ['that was interrupted', sms, batch([ann], 'interrupted')],
  ['that has ended', sms, batch([ann], 'ended')],
  ['whose rows are not known', sms, batch([ann], 'choosing')],
  ['of an action without a recipient', recording, batch([ann])],
])('does not test a batch %s', (_, action, tested) => {
  expect(() => testInput(action, tested, '+12025550199')).toThrow(
    expect.objectContaining({ code: 'input', message: changed }),
  );
});

test.each([undefined, null, '', ' \n'])('asks for the number instead of %j', (recipient) => {
  expect(() => testInput(sms, batch([ann]), recipient)).toThrow(
    expect.objectContaining({
      ...{ code: 'input', field: 'to' },
      message: 'Enter your number with its country code, such as +14155550123.',
    }),
  );
});
