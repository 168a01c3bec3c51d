import {
  checkInput,
  connect,
  listedPhones,
  operation,
  phoneCleaner,
  withCountryCodes,
} from '../../src/builder.ts';
import { errorOf } from './errors.ts';
import { account, accountPath, answerWith, isolate } from './service.ts';

isolate();

const completed: [country: string, typed: string, number: string][] = [
  ['US', '(202) 555-0143', '+12025550143'],
  ['US', '202.555.0143', '+12025550143'],
  ['US', '1 202 555 0143', '+12025550143'],
  ['US', '0012025550143', '+12025550143'],
  ['US', '011 44 20 7946 0000', '+442079460000'],
  ['US', '+44 20 7946 0000', '+442079460000'],
  ['GB', '020 7946 0000', '+442079460000'],
  ['GB', '(+44) 20 7946 0000', '+442079460000'],
  ['DE', '0151 23456789', '+4915123456789'],
  ['DE', '004915123456789', '+4915123456789'],
  ['DE', '030 1234', '+49301234'],
  ['IT', '06 6982 0000', '+390669820000'],
  // Anything but a number of the country stays unchanged.
  ['US', '123', '123'],
  ['US', '50143', '50143'],
  ['US', '501430', '501430'],
  ['DE', '80888', '80888'],
  ['DE', '493012', '493012'],
  ['US', '123456789', '123456789'],
  ['US', 'ACME Inc.', 'ACME Inc.'],
  ['US', 'whatsapp:+12025550143', 'whatsapp:+12025550143'],
  ['US', 'WhatsApp: +1 (202) 555-0143', 'whatsapp:+12025550143'],
  ['', 'whatsapp:+1 202 555 0143', 'whatsapp:+12025550143'],
  ['US', 'sip:+1202@a-b.example.com', 'sip:+1202@a-b.example.com'],
  ['US', 'client:2025550143', 'client:2025550143'],
  ['', '(202) 555-0143', '(202) 555-0143'],
  ['', '0012025550143', '0012025550143'],
];

test.each(completed)('with the default country %j, %j becomes %j', (country, typed, number) => {
  expect(phoneCleaner(country)(typed)).toBe(number);
});

const listed: [country: string, typed: unknown, numbers: unknown[]][] = [
  ['US', '(202) 555-0143\n+12025550144; 2025550143,', ['+12025550143', '+12025550144']],
  ['DE', '030 1234567, 089 8901234', ['+49301234567', '+49898901234']],
  ['DK', '20 30 40 50; +45 20 30 40 51', ['+4520304050', '+4520304051']],
  // Each can be one number, or the second one lacks its area code.
  ...[
    ['US', '+44,2025550143'] as const,
    ['US', '+12025550143;phone-context=+1'] as const,
    ['DE', '030 1234567, 8901234'] as const,
    ['DE', '+49 30 1234567, 8901234'] as const,
    ['US', '+12025550143, call +12025550144'] as const,
  ].map(([country, typed]): [string, string, unknown[]] => [country, typed, [typed]]),
  ['US', [[2025550143], null, ['+1 202 555 0143', {}]], ['+12025550143', null, {}]],
];

test.each(listed)('with the default country %j, %j lists %j', (country, typed, numbers) => {
  expect(listedPhones(typed, phoneCleaner(country))).toEqual(numbers);
});

const inCountry = (defaultCountry: string) => connect({ ...account, defaultCountry });
const calls = [
  { sid: 'CA1', from: '+12025550143' },
  { sid: 'CA2', from: '+912025550143' },
  { sid: 'CA3', from: '2025550143' },
];

test.each(['(202) 555-0143', '12025550143', '0012025550143', 2025550143])(
  'a filter by %j sends the number with the code of the default country',
  async (from) => {
    const sent = answerWith([{ status: 200, body: { calls } }]);
    const page = await inCountry('us').run('calls-by-caller-id', { from: `${from}` });
    expect(page.records.map(({ sid }) => sid)).toEqual(['CA1', 'CA3']);
    expect(sent.map(({ path }) => path)).toEqual([`${accountPath}/Calls.json?From=%2B12025550143`]);
  },
);

const howToFix = `which has no country code. Enter it with its country code, such as +12025550143, or set "Default country" in the settings.`;

const leadingZeros = 'Write + instead of the leading 00: +12025550143.';

test.each([
  ['25550143', `, ${howToFix}`],
  ['12025550143', `, ${howToFix}`],
  ['0012025550143', `. ${leadingZeros}`],
  ['00 1 (202) 555-0143', `. ${leadingZeros}`],
  ['(202) 555-0144', `, ${howToFix}`],
])(
  'without a default country, a filter by %j finds no other number, and hints at the country code',
  async (from, advice) => {
    const answer = { status: 200, body: { calls } };
    answerWith([answer, answer]);
    const telephony = connect(account);
    const hint = `Nothing found. "From" is ${from}${advice}`;
    const empty = { records: [], more: false, hint };
    expect(await telephony.run('calls-by-caller-id', { from })).toEqual(empty);
    const pages = telephony.pages('calls-by-caller-id', { from }, { limit: 5 });
    expect(await pages.next()).toEqual({ done: false, value: empty });
  },
);

test('with a default country, the hint asks for the country code only', async () => {
  answerWith([{ status: 200, body: { calls } }]);
  const page = await inCountry('US').run('calls-by-caller-id', { from: '25550143' });
  expect(page.hint).toBe(
    'Nothing found. "From" is 25550143, which has no country code. Enter it with its country code, such as +12025550143.',
  );
});

test('a filter by a national number that a record has finds it, without a hint', async () => {
  answerWith([{ status: 200, body: { calls } }]);
  const page = await connect(account).run('calls-by-caller-id', { from: '2025550143' });
  expect([page.records.map(({ sid }) => sid), page.hint]).toEqual([['CA3'], undefined]);
});

const sms = { from: '50143', to: '+12025550143', body: 'Hello' };

test.each<[typed: object, field: string, message: string]>([
  [
    { to: '2025550143' },
    'to',
    '"To" is 2025550143, which has no country code. Enter it with its country code, such as +12025550143, or check "Default country" in the settings.',
  ],
  [{ to: '0012025550143' }, 'to', `"To" is 0012025550143. ${leadingZeros}`],
  [
    { from: '(202) 555-0143' },
    'from',
    '"From" is (202) 555-0143, which has no country code. Enter it with its country code, such as +12025550143, or check "Default country" in the settings.',
  ],
])(
  'without a default country, an action with %j sends nothing, and asks for the country code',
  async (typed, field, message) => {
    const sent = answerWith([]);
    const error = await errorOf(connect(account).run('send-sms', { ...sms, ...typed }));
    expect([error.code, error.message, error.field, sent]).toEqual(['input', message, field, []]);
  },
);

test('an action sends a national number with the code of the default country, and a short code unchanged', async () => {
  const sent = answerWith([{ status: 201, body: { sid: 'SM1' } }]);
  await inCountry('US').run('send-sms', { ...sms, to: '(202) 555-0143' });
  expect(sent.map(({ body }) => body)).toEqual(['From=50143&To=%2B12025550143&Body=Hello']);
});

test('builders complete the numbers of an input with the stored default country', () => {
  const input = { from: '50143', to: '(202) 555-0143', body: '(202) 555-0143' };
  const sendSms = operation('send-sms');
  expect(withCountryCodes(sendSms, input, ' us ')).toEqual({ ...input, to: '+12025550143' });
  for (const country of ['', undefined, null, 'XX'])
    expect(withCountryCodes(sendSms, input, country)).toEqual(input);
});

test.each(["'", ',', '/', '(', ' ', '\u200b', '1/', '+1('])(
  'a form refuses a number with 300,000 times %j at once',
  (repeated) => {
    const to = `+1202555${repeated.repeat(300_000)}a`;
    const startedAt = performance.now();
    expect(() => checkInput(operation('send-sms'), { ...sms, to })).toThrow(/^"To" /);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  },
);
