import { errorOf, parts } from './errors.ts';
import { accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

const since = new Date();
const account = telephony();
const message = [
  '"From" is missing: one of your numbers with country code, a short code, a sender name, or a WhatsApp sender such as whatsapp:+14155550100.',
  '"To" is missing: the recipient\'s number with country code, such as +12025550143, or whatsapp:+12025550143 for WhatsApp.',
  '"Body" is missing: the text of the message, up to 1,600 characters.',
].join(' ');

const calls: [name: string, call: () => Promise<unknown>, error: object][] = [
  [
    'confirming a list',
    () => account.confirm('account-calls' as string, {}, { since }),
    { code: 'input', message: '"Account Calls" is not an action.' },
  ],
  [
    'confirming an action without its input',
    () => account.confirm('send-sms' as string, {}, { since }),
    { code: 'input', field: 'from', message },
  ],
  [
    'running an action without an input',
    () => account.run('send-sms' as string, {}),
    { code: 'input', field: 'from', message },
  ],
  [
    'paging by an invalid date',
    () => account.pages('account-messages' as string, { dateSentAfter: 'soon' }).next(),
    { code: 'input', field: 'dateSentAfter' },
  ],
];

test.each(calls)('%s fails before anything is sent', async (_, call, error) => {
  const sent = answerWith([]);
  expect(parts(await errorOf(call()))).toMatchObject(error);
  expect(sent).toEqual([]);
});

test('a list without an owner filter makes no requests for the owners', async () => {
  const sid = 'RE00000000000000000000000000000001';
  const body = { recordings: [{ sid, call_sid: 'CA1' }], next_page_uri: null };
  const sent = answerWith([{ status: 200, body }]);
  const { records } = await account.run('recordings-by-caller-id', {});
  expect(records).toEqual([expect.objectContaining({ sid, callSid: 'CA1' })]);
  expect(sent.map(({ path }) => path)).toEqual([`${accountPath}/Recordings.json`]);
});

test('reading a record ignores the hook that runs before an action', async () => {
  answerWith([{ status: 200, body: { sid: 'CA1' } }]);
  const before = () => Promise.reject(new Error('This is no action.'));
  const view = account.run('view-a-call' as string, { callSid: 'CA1' }, { beforeSend: before });
  expect(await view).toMatchObject({ sid: 'CA1' });
});
