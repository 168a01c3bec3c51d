import { connect, TelephonyError, testSettings } from '../../src/builder.ts';
import { sayAs } from '../support/translations.ts';
import { errorOf, parts } from './errors.ts';
import {
  account,
  accountPath,
  answerWith,
  isolate,
  type ServiceAnswer,
  telephony,
} from './service.ts';

isolate();

jest.mock('node:timers/promises', () => ({ setTimeout: async () => {} }));

const settings = 'the settings.';
const accepts = `The service at service.test accepts the username and the password of the account ${account.username}`;
const reached = { account: account.username, host: 'service.test' };
const refused = `The service rejected the credentials. Check the username (the Account SID) and the password (the Auth Token) in ${settings}`;
const notAllowed = `The account is not allowed to do this. Check the username (the Account SID) in ${settings.slice(0, -1)} and the account's permissions.`;
const noSuch = `The service does not know this account, or does not offer "the list of calls". Check the username (the Account SID) and the base URL in ${settings}`;
const sendOne = `If this account can only send, text yourself to test the settings. Otherwise check the username and the base URL in ${settings}`;
const nothingToTry = `The service responds, but offers nothing to test the settings with. ${sendOne}`;

const calls = { status: 200, body: { calls: [] } };
const messages = { status: 200, body: { messages: [{ sid: 'SM1' }] } };
const html = (status: number) => ({ status, body: '<html><body>Not here</body></html>' });
const says = (status: number, body: object) => ({ status, body });
const lacks = says(404, { errors: [{ code: '10005', title: 'Resource not found' }] });
const unknown = says(404, { code: 20404, message: 'Not found' });

const both = ['/Calls.json?PageSize=1', '/Messages.json?PageSize=1'];
const [first = ''] = both;
const fiveTimes = Array<string>(5).fill(first);

const outcomes: [
  name: string,
  answers: ServiceAnswer[],
  outcome: string,
  message: string,
  asked: string[],
][] = [
  ['calls', [calls], 'works', `${accepts}.`, [first]],
  [
    'calls, and a next page on another host',
    [says(200, { calls: [], next_page_uri: 'ftp://x' })],
    'works',
    `${accepts}.`,
    [first],
  ],
  ['SMS only', [lacks, messages], 'works', `${accepts}, but does not offer calls.`, both],
  [
    'SMS only, with HTML errors',
    [html(404), messages],
    'works',
    `${accepts}, but does not offer calls.`,
    both,
  ],
  [
    'a key that may not read calls',
    [says(403, {}), messages],
    'works',
    `${accepts}, but does not offer calls.`,
    both,
  ],
  [
    'no method for calls',
    [says(405, {}), messages],
    'works',
    `${accepts}, but does not offer calls.`,
    both,
  ],
  ['sending only', [lacks, lacks], 'untried', nothingToTry, both],
  [
    'sending only, by another status',
    [lacks, says(405, { message: 'x' })],
    'untried',
    nothingToTry,
    both,
  ],
  ...[400, 402, 422].flatMap((status): (typeof outcomes)[number][] => [
    [
      `calls refused with ${status}`,
      [says(status, { message: 'No' }), messages],
      'works',
      `${accepts}, but does not offer calls.`,
      both,
    ],
    [
      `everything refused with ${status}`,
      [says(status, { message: 'No', code: 7 }), says(status, { message: 'No again' })],
      'untried',
      `The service rejected the request. It said: No (7) ${sendOne}`,
      both,
    ],
    [
      `no calls, and messages refused with ${status}`,
      [lacks, says(status, { message: 'No' })],
      'untried',
      `The service rejected the request. It said: No ${sendOne}`,
      both,
    ],
    [
      `any web server that answers ${status}`,
      [html(status), html(status)],
      'wrong-base-url',
      'The service rejected the request.',
      both,
    ],
  ]),
  // These statuses do not show whether the service has the list.
  ...[407, 408, 409, 425, 451, 499].map((status): (typeof outcomes)[number] => [
    `calls answered with ${status}`,
    [html(status), messages],
    'wrong-base-url',
    'The service rejected the request.',
    [first],
  ]),
  [
    'sending only, and wrong credentials',
    [lacks, says(401, {})],
    'wrong-credentials',
    refused,
    both,
  ],
  ['wrong credentials', [says(401, {})], 'wrong-credentials', refused, [first]],
  [
    'a key that may read nothing',
    [says(403, {}), says(403, {})],
    'wrong-credentials',
    notAllowed,
    both,
  ],
  [
    'a key that may not read the only list',
    [says(403, {}), lacks],
    'wrong-credentials',
    notAllowed,
    both,
  ],
  [
    'a key that may read nothing, by a code of the service',
    [says(403, { code: 1, message: 'No' }), lacks],
    'wrong-credentials',
    `${notAllowed} It said: No (1)`,
    both,
  ],
  [
    'an unknown account',
    [unknown, unknown],
    'wrong-settings',
    `The service does not know this account. Check the username (the Account SID) in ${settings} It said: Not found (20404)`,
    both,
  ],
  ['any web server', [html(404), html(404)], 'wrong-base-url', noSuch, both],
  [
    'a web page instead of calls',
    [html(200)],
    'wrong-base-url',
    `The service's response could not be read. Check the base URL in ${settings}`,
    [first],
  ],
  [
    'another list instead of calls',
    [messages],
    'wrong-base-url',
    `The response contains no list of calls. Check the base URL in ${settings}`,
    [first],
  ],
  [
    'a redirect',
    [says(301, {})],
    'wrong-base-url',
    `The service responded with a redirect. Check the base URL in ${settings}`,
    [first],
  ],
  [
    'server errors',
    Array(5).fill(says(503, {})),
    'unreachable',
    'The service has a problem. Try again later.',
    fiveTimes,
  ],
];

test.each(outcomes)(
  'the connection test reports a service with %s',
  async (_, answers, outcome, message, asked) => {
    const sent = answerWith(answers);
    expect(await telephony().test()).toEqual({
      ...{ outcome, message },
      ...(outcome === 'works' && { reached }),
    });
    expect(sent.map(({ method, path, body }) => [method, path, body])).toEqual(
      asked.map((path) => ['GET', accountPath + path, '']),
    );
  },
);

const without = (message: string) => `${message} It said: Not found (20404)`;
const unknownAccounts: [what: string, given: object, outcome: string, message: string][] = [
  [
    'an Account SID that the credentials do not have',
    { accountSid: 'AC00000000000000000000000000000002' },
    'wrong-settings',
    without(
      `The service accepts the credentials, but they have no account with this Account SID. Check the Account SID in ${settings}`,
    ),
  ],
  [
    'a base URL with a path that the service may not have',
    { baseUrl: `${account.baseUrl}/elsewhere` },
    'wrong-base-url',
    without(
      `The service does not know this account. Check the username (the Account SID) and the base URL in ${settings}`,
    ),
  ],
  [
    'both',
    {
      accountSid: 'AC00000000000000000000000000000002',
      baseUrl: `${account.baseUrl}/elsewhere`,
    },
    'wrong-base-url',
    without(
      `The service does not know this account. Check the Account SID and the base URL in ${settings}`,
    ),
  ],
];

test.each(unknownAccounts)(
  'the connection test says what to check with %s',
  async (_, given, outcome, message) => {
    answerWith([unknown, unknown]);
    expect(await connect({ ...account, ...given }).test()).toEqual({ outcome, message });
  },
);

const page = (numbers: string[]) => ({
  status: 200,
  body: {
    incoming_phone_numbers: numbers.map((phone_number) => ({
      sid: 'PN1',
      phone_number,
      capabilities: {},
    })),
  },
});
const found = page(['+14155550100']);
const lookup = ['/IncomingPhoneNumbers.json?PageSize=1000'];
const senders: [
  name: string,
  entered: unknown,
  answer: ServiceAnswer,
  isLacking: boolean,
  requests: string[],
][] = [
  ['a number of the account', '+14155550100', found, false, lookup],
  ['another number', '+14155550100', page([]), true, lookup],
  ['part of a number of the account', '+14155550100', page(['+141555501001']), true, lookup],
  ['another number, as people write it', ' +1 (415) 555-0100 ', page([]), true, lookup],
  ['another number without a country code', '(415) 555-0100', page([]), true, lookup],
  [
    'another number than the first 1,000',
    '+14155550100',
    page(Array.from({ length: 1000 }, (_, index) => `+1415556${1000 + index}`)),
    false,
    lookup,
  ],
  ['a number that the service may not look up', '+14155550100', says(403, {}), false, lookup],
  ['a number of a service without a list of numbers', '+14155550100', lacks, false, lookup],
  ['a name', 'Pizzeria', found, false, []],
  ['a short code', '12345', found, false, []],
  ['a WhatsApp sender', 'whatsapp:+14155550100', found, false, []],
  ['no sender', '', found, false, []],
  ['no value', undefined, found, false, []],
];

test.each(senders)(
  'the connection test looks up the default sender: %s',
  async (_, sender, answer, isLacking, requests) => {
    const sent = answerWith([calls, answer]);
    const other = '+14155550100';
    const result = await testSettings({ ...account, defaultCountry: 'us' }, {}, { sender });
    expect(result).toEqual(
      isLacking
        ? {
            outcome: 'other-sender',
            message: `${accepts}. However, the default sender ${other} is not a number of this account, so the service may reject its messages.`,
            reached: { ...reached, sender: other },
          }
        : { outcome: 'works', message: `${accepts}.`, reached },
    );
    expect(sent.map(({ method, path }) => [method, path])).toEqual(
      [first, ...requests].map((path) => ['GET', accountPath + path]),
    );
  },
);

test('the connection test warns of a default sender without a country code, if the settings have none', async () => {
  const sent = answerWith([calls]);
  const sender = '(415) 555-0100';
  expect(await testSettings(account, {}, { sender: ` ${sender} ` })).toEqual({
    outcome: 'other-sender',
    message: `${accepts}. However, the default sender ${sender} does not start with a plus sign and a country code, so the service may reject its messages.`,
    reached: { ...reached, sender },
  });
  expect(sent).toHaveLength(1);
});

test('wrong credentials are reported without a look at the sender', async () => {
  const sent = answerWith([says(401, {})]);
  const { outcome } = await testSettings(account, {}, { sender: '+14155550100' });
  expect([outcome, sent.length]).toEqual(['wrong-credentials', 1]);
});

test('incomplete settings fail without a request', async () => {
  const sent = answerWith([]);
  expect((await testSettings({ ...account, password: '' })).outcome).toBe('wrong-settings');
  expect(sent).toEqual([]);
});

test('an aborted connection test throws instead of reporting an outcome', async () => {
  const sent = answerWith([calls]);
  const error = await errorOf(telephony().test({ signal: AbortSignal.abort() }));
  expect(parts(error)).toEqual({
    code: 'aborted',
    message: 'The request was aborted.',
    request: `GET ${first}`,
  });
  expect(sent).toEqual([]);
});

const mistakes: [kind: string, mistake: Error][] = [
  ['a programming mistake', new RangeError('A mistake.')],
  ['aborted', new TelephonyError('aborted', 'It was stopped.')],
];
test.each(mistakes)('errors that are not about the settings are thrown: %s', async (_, mistake) => {
  const settings = {
    get username(): string {
      throw mistake;
    },
  };
  await expect(testSettings(settings)).rejects.toBe(mistake);
});

const inLanguages: [
  what: string,
  given: object,
  answers: ServiceAnswer[],
  german: string,
  chinese: string,
][] = [
  [
    'what works',
    {},
    [calls],
    `Der Dienst ${reached.host} akzeptiert den Benutzernamen und das Passwort des Kontos ${reached.account}.`,
    `服务 ${reached.host} 接受账户 ${reached.account} 的用户名和密码。`,
  ],
  [
    'what the service lacks',
    {},
    [lacks, messages],
    `Der Dienst ${reached.host} akzeptiert den Benutzernamen und das Passwort des Kontos ${reached.account}, bietet aber Anrufe nicht an.`,
    `服务 ${reached.host} 接受账户 ${reached.account} 的用户名和密码，但不提供呼叫。`,
  ],
  [
    'a default sender of someone else',
    { sender: '+14155550100' },
    [calls, page([])],
    `Der Dienst ${reached.host} akzeptiert den Benutzernamen und das Passwort des Kontos ${reached.account}. Der Standardabsender +14155550100 ist allerdings keine Nummer dieses Kontos. Der Dienst lehnt seine Nachrichten vielleicht ab.`,
    `服务 ${reached.host} 接受账户 ${reached.account} 的用户名和密码。但是，默认发送方 +14155550100 不是此账户的号码，因此服务可能会拒绝其消息。`,
  ],
  [
    'a service for sending only',
    {},
    [lacks, lacks],
    'Der Dienst antwortet, bietet aber nichts an, womit sich die Einstellungen prüfen lassen. Wenn dieses Konto nur senden kann, senden Sie sich selbst eine SMS, um die Einstellungen zu prüfen. Prüfen Sie sonst den Benutzernamen und die Basis-URL in den Einstellungen.',
    '服务有响应，但没有提供可用于测试设置的内容。如果此账户只能发送，请给自己发送一条短信以测试设置。否则，请检查设置中的用户名和服务地址。',
  ],
  [
    'a path that the service does not have',
    {},
    [html(404), html(404)],
    'Der Dienst kennt dieses Konto nicht oder bietet „die Liste der Anrufe“ nicht an. Prüfen Sie den Benutzernamen (die Account SID) und die Basis-URL in den Einstellungen.',
    '该服务不认识此账户，或不提供“呼叫列表”。请检查设置中的用户名（账户 SID）和服务地址。',
  ],
  [
    'a setting that is missing',
    { password: '' },
    [],
    '„Passwort“ in den Einstellungen ist leer. Geben Sie zuerst einen Wert ein.',
    '设置中的“密码”为空，请先输入。',
  ],
];

const inEach = inLanguages.flatMap(([what, given, answers, german, chinese]) =>
  [['de-DE', german] as const, ['zh-CN', chinese] as const].map(
    ([language, message]) => [what, language, given, answers, message] as const,
  ),
);
test.each(inEach)(
  'the connection test says %s in the language %s',
  async (_, language, { sender, ...given }: { sender?: string }, answers, message) => {
    answerWith([...answers]);
    const options = { sender, say: await sayAs(language) };
    expect((await testSettings({ ...account, ...given }, {}, options)).message).toBe(message);
  },
);
