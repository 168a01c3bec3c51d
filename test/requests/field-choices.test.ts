import { fieldChoices, inEnglish, offeredChoices } from '../../src/builder.ts';
import { accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

const number = (phone_number: unknown, friendly_name: unknown, capabilities: object) => ({
  sid: `PN${String(phone_number)}`,
  ...{ phone_number, friendly_name, capabilities },
});
const numbers = [
  number('+14155550100', 'Sales', { sms: true, voice: true }),
  number('+14155550101', null, { sms: true, voice: false }),
  number('+14155550102', 'Reception', { sms: false, voice: true }),
  number('+14155550103', 'Fax', { sms: false, voice: false }),
  number(null, 'Nothing', { sms: true, voice: true }),
];
const sales = { value: '+14155550100', label: 'Sales' };
const unnamed = { value: '+14155550101', label: '+14155550101' };
const reception = { value: '+14155550102', label: 'Reception' };
const page = (next: string | null = null) => ({
  status: 200,
  body: { incoming_phone_numbers: numbers, next_page_uri: next },
});
const request = `${accountPath}/IncomingPhoneNumbers.json?PageSize=1000`;

const fields: [id: string, key: string, choices: object[]][] = [
  ['send-sms', 'from', [sales, unnamed]],
  ['send-a-message', 'from', [sales, unnamed]],
  ['make-a-call', 'from', [sales, reception]],
];

test.each(fields)('%s offers for "%s" the numbers that can do it', async (id, key, choices) => {
  const sent = answerWith([page()]);
  expect(await fieldChoices(telephony(), id, key)).toEqual(choices);
  expect(sent.map(({ method, path }) => [method, path])).toEqual([['GET', request]]);
});

test('a default sender can be any number that an action can use', async () => {
  const sent = answerWith([page()]);
  expect(await offeredChoices(async () => telephony())).toEqual({
    choices: [sales, reception, unnamed],
  });
  expect(sent).toHaveLength(1);
});

test('reads one page of an account with more numbers', async () => {
  const sent = answerWith([page(`${request}&Page=1`)]);
  expect(await fieldChoices(telephony(), 'send-sms', 'from')).toEqual([sales, unnamed]);
  expect(sent).toHaveLength(1);
});

test('one account shares a read among fields, and none with another account', async () => {
  const sent = answerWith([page(), page()]);
  const one = telephony();
  await Promise.all([fieldChoices(one, 'send-sms', 'from'), offeredChoices(async () => one)]);
  await fieldChoices(one, 'make-a-call', 'from');
  expect(sent).toHaveLength(1);
  await fieldChoices(telephony(), 'send-sms', 'from');
  expect(sent).toHaveLength(2);
});

test('a form gets the choices of a field, or the problem', async () => {
  const sent = answerWith([page(), { status: 401, body: { code: 20003 } }]);
  const offer = async (key: unknown) => {
    const offered = await offeredChoices(async () => telephony(), 'make-a-call', key);
    return offered.problem ? { ...offered, problem: inEnglish(offered.problem) } : offered;
  };
  expect(await offer('from')).toEqual({ choices: [sales, reception] });
  expect(await offer('to')).toEqual({
    choices: [],
    problem: '"Make a Call" has no choices for "to".',
  });
  expect(await offer('from')).toEqual({
    choices: [],
    problem: expect.stringContaining('The service rejected the credentials.'),
  });
  expect(sent).toHaveLength(2);
  const mistake = new RangeError('A mistake');
  await expect(offeredChoices(() => Promise.reject(mistake))).rejects.toBe(mistake);
});

test('a read that fails is an error of the account', async () => {
  answerWith([{ status: 401, body: { code: 20003, message: 'Authenticate' } }]);
  await expect(fieldChoices(telephony(), 'send-sms', 'from')).rejects.toMatchObject({
    name: 'TelephonyError',
    code: 'unauthorised',
  });
});

test('a service that does not respond ends the read in time', async () => {
  const abort = new AbortController();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(abort.signal);
  const pages = async function* (_id: string, _input: object, { signal }: { signal: AbortSignal }) {
    abort.abort();
    yield await Promise.reject(signal.reason);
  };
  await expect(fieldChoices({ pages } as never, 'send-sms', 'from')).rejects.toMatchObject({
    code: 'timeout',
    message: 'The service did not respond within 8 s.',
  });
  expect(timeout).toHaveBeenCalledWith(8_000);
  timeout.mockRestore();
});

test.each([
  ['a field without choices', 'send-sms', 'to', '"Send SMS" has no choices for "to".'],
  ['an unknown field', 'send-sms', 'by', '"Send SMS" has no choices for "by".'],
  ['an unknown operation', 'send-fax', 'from', expect.stringContaining('"send-fax"')],
])('%s is an error of the input', async (_, id, key, message) => {
  await expect(fieldChoices(telephony(), id, key)).rejects.toMatchObject({
    code: 'input',
    message,
  });
});
