import { ACCOUNT_NUMBERS } from '../../demo/sandbox/index.ts';
import {
  connect,
  type Http,
  inEnglish,
  memoryStore,
  type NumberPress,
  nodeHandler,
  nodeHttp,
  numberPress,
  numberWebhooks,
  receiveEvents,
  sayNumbers,
} from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { serveHttp } from '../support/serve-http.ts';

const { main, support } = ACCOUNT_NUMBERS;
const url = 'http://127.0.0.1:9/events';
const elsewhere = 'https://user:not-a-real-secret@www.example.com/sms?a=1';

const settingsOf = ({ username, password, url: baseUrl }: Sandbox) => ({
  ...{ username, password, baseUrl },
});

/** A settings page of an account: what it shows, and its buttons. Each one opens the account again, as after a restart. */
function openPage(
  sandbox: Sandbox,
  { store = memoryStore(), at = url, http = nodeHttp, keyed = {} } = {},
) {
  const settings = { ...settingsOf(sandbox), ...keyed };
  const show = async (pressed?: NumberPress) => {
    const telephony = connect({ ...settings, http });
    const account = { telephony, settings, store, url: at, authToken: sandbox.password };
    return sayNumbers(await numberWebhooks(() => account, pressed), inEnglish);
  };
  const press = async (button: NumberPress['press'], sid: string = main.sid) => {
    const { seen = '' } = (await show()).numbers.find((one) => one.sid === sid) ?? {};
    return show({ sid, press: button, seen });
  };
  return { show, press };
}

const urlsOf = (sandbox: Sandbox, { number }: { number: string }) => {
  const {
    smsUrl = '',
    voiceUrl = '',
    statusCallback = '',
  } = sandbox.events.numbers.get(number) ?? {};
  return [smsUrl, voiceUrl, statusCallback];
};

test('shows where numbers send their events, without passwords', async () => {
  const sandbox = await openSandbox({
    numbers: {
      [main.number]: { smsUrl: elsewhere, voiceUrl: `${url}#rc=2` },
      [support.number]: {
        smsApplicationSid: 'MG1',
        smsUrl: elsewhere,
        voiceUrl: url,
        statusCallback: url,
      },
    },
  });
  const { numbers, ...others } = await openPage(sandbox).show();
  const lines = ['SMS URL: https://***@www.example.com/sms?a=1', 'Call URL: here'];
  expect([numbers, others]).toEqual([
    [
      {
        ...{ sid: main.sid, name: '+14155550100 (Front desk)', seen: expect.any(String) },
        lines: [...lines, 'Call status URL: none'],
        buttons: [
          {
            ...{ press: 'connect', label: 'Send events here' },
            asks: `Replace these URLs of +14155550100 (Front desk)? ${lines[0]}`,
          },
        ],
      },
      {
        ...{ sid: support.sid, name: '+14155550101 (Support)', seen: expect.any(String) },
        lines: [
          'SMS URL: not used, because of SMS app or service SID MG1',
          ...['Call URL: here', 'Call status URL: here'],
        ],
        buttons: [],
      },
    ],
    {},
  ]);
});

test('sends the first events of a number here, and restores its URLs', async () => {
  const sandbox = await openSandbox({ numbers: { [main.number]: { smsUrl: elsewhere } } });
  const received: string[] = [];
  let receive: ReturnType<typeof receiveEvents> | undefined;
  const app = await serveHttp((request, response) => {
    if (receive) nodeHandler(receive)(request, response);
  });
  const address = `${app.url}/events`;
  receive = receiveEvents(settingsOf(sandbox), {
    url: address,
    onEvent: ({ id, record }) => void received.push(`${id} ${record.sid}`),
  });
  const store = memoryStore();
  const page = openPage(sandbox, { store, at: address });
  const connected = await page.press('connect');
  expect([connected.done, connected.numbers[0]]).toEqual([
    '+14155550100 (Front desk) now sends its events here.',
    {
      ...{ sid: main.sid, name: '+14155550100 (Front desk)', seen: expect.any(String) },
      lines: ['SMS URL: here', 'Call URL: here', 'Call status URL: here'],
      buttons: [{ press: 'undo', label: 'Undo' }],
    },
  ]);
  const { sid } = sandbox.receiveMessage({ from: '+12025550143', to: main.number, body: 'Hi' });
  await sandbox.events.settled();
  expect(received).toEqual([`sms-received ${sid}`]);
  expect(urlsOf(sandbox, support)).toEqual(['', '', '']);

  const undone = await openPage(sandbox, { store, at: address }).press('undo');
  expect(undone.done).toBe('Restored the URLs of +14155550100 (Front desk).');
  const connectOnly = [{ press: 'connect', label: 'Send events here' }];
  const { asks: _, ...again } = undone.numbers[0]?.buttons[0] ?? {};
  expect([[again], undone.numbers[1]?.buttons]).toEqual([connectOnly, connectOnly]);
  expect(urlsOf(sandbox, main)).toEqual([elsewhere, '', '']);
});

test('stores no URL that it replaces as plain text', async () => {
  const sandbox = await openSandbox({ numbers: { [main.number]: { smsUrl: elsewhere } } });
  const written: unknown[] = [];
  const store = memoryStore();
  const watched = {
    ...store,
    insert: (...args: Parameters<typeof store.insert>) => {
      written.push(args);
      return store.insert(...args);
    },
  };
  await openPage(sandbox, { store: { ...store, ...watched } }).press('connect');
  expect(JSON.stringify(written)).not.toMatch(/not-a-real-secret|example/);
  expect(written).toHaveLength(1);
});

test('still restores the first URLs after the public URL has changed', async () => {
  const sandbox = await openSandbox({ numbers: { [main.number]: { smsUrl: elsewhere } } });
  const store = memoryStore();
  await openPage(sandbox, { store }).press('connect');
  const moved = openPage(sandbox, { store, at: `${url}/moved` });
  await moved.press('connect');
  expect(urlsOf(sandbox, main)).toEqual([1, 2, 3].map(() => `${url}/moved`));
  await moved.press('undo');
  expect(urlsOf(sandbox, main)).toEqual([elsewhere, '', '']);
});

test('restores the URLs of each of two accounts that share a number', async () => {
  const apiKey = { sid: `SK${'1'.repeat(32)}`, secret: 'another-secret' };
  const sandbox = await openSandbox({ apiKey, numbers: { [main.number]: { smsUrl: elsewhere } } });
  const store = memoryStore();
  const withToken = openPage(sandbox, { store });
  const { username: accountSid } = sandbox;
  const keyed = { username: apiKey.sid, password: apiKey.secret, accountSid };
  const withKey = openPage(sandbox, { store, at: `${url}/other`, keyed });
  await withToken.press('connect');
  expect((await withKey.press('connect')).problem).toBeUndefined();
  await withKey.press('undo');
  expect(urlsOf(sandbox, main)).toEqual([url, url, url]);
  await withToken.press('undo');
  expect(urlsOf(sandbox, main)).toEqual([elsewhere, '', '']);
});

test('shows and connects the numbers of all pages', async () => {
  const sandbox = await openSandbox();
  // A service with one number on each page.
  const http: Http = ({ url: asked, ...request }) => {
    const address = new URL(asked);
    if (address.searchParams.has('PageSize')) address.searchParams.set('PageSize', '1');
    return nodeHttp({ ...request, url: address.href });
  };
  const page = openPage(sandbox, { http });
  const { numbers } = await page.press('connect', support.sid);
  expect(numbers.map(({ sid }) => sid)).toEqual([main.sid, support.sid]);
  expect([urlsOf(sandbox, main), urlsOf(sandbox, support)]).toEqual([
    ['', '', ''],
    [url, url, url],
  ]);
});

test('overwrites nothing that was changed after it was shown', async () => {
  const sandbox = await openSandbox();
  const page = openPage(sandbox);
  const { seen = '' } = (await page.show()).numbers[0] ?? {};
  sandbox.events.numbers.set(main.number, { smsUrl: elsewhere });
  const { problem } = await page.show({ sid: main.sid, press: 'connect', seen });
  expect(problem).toBe(
    'The URLs of +14155550100 (Front desk) have changed meanwhile, so nothing was done. Look at them, and try again.',
  );
  expect(urlsOf(sandbox, main)).toEqual([elsewhere, '', '']);
});

test('restores only the URLs that no one has changed since', async () => {
  const sandbox = await openSandbox({ numbers: { [main.number]: { voiceUrl: elsewhere } } });
  const page = openPage(sandbox);
  await page.press('connect');
  const [other] = ['https://other.example.com/sms'];
  sandbox.events.numbers.set(main.number, {
    ...sandbox.events.numbers.get(main.number),
    smsUrl: other,
  });
  await page.press('undo');
  expect(urlsOf(sandbox, main)).toEqual([other, elsewhere, '']);
});

test.each([
  ['', undefined, 'Enter and save the public URL first.'],
  ['http://app.example.com/events', undefined, 'The public URL must start with https://.'],
  [
    'http://localhost:1880/events',
    'https://api.example.com',
    'The service can’t reach http://localhost:1880/events, which is on your machine. Enter a public URL, or poll instead.',
  ],
])('refuses the webhook URL %j with the base URL %s', async (at, baseUrl, problem) => {
  const sandbox = await openSandbox();
  const settings = settingsOf(sandbox);
  // Requests go to the sandbox in any case.
  const http: Http = ({ url: asked, ...request }) => {
    const { pathname, search } = new URL(asked);
    return nodeHttp({ ...request, url: sandbox.origin + pathname + search });
  };
  const telephony = connect({ ...settings, ...(baseUrl && { baseUrl, http }) });
  const account = { telephony, settings, store: memoryStore(), url: at };
  const shown = sayNumbers(await numberWebhooks(() => account), inEnglish);
  expect([shown.problem, shown.numbers.map(({ buttons }) => buttons)]).toEqual([problem, [[], []]]);
  const press = { sid: main.sid, press: 'connect' as const, seen: shown.numbers[0]?.seen ?? '' };
  const pressed = sayNumbers(await numberWebhooks(() => account, press), inEnglish);
  expect(pressed.problem).toBe(problem);
  expect(urlsOf(sandbox, main)).toEqual(['', '', '']);
});

test.each([
  [
    { sid: 'PN1', press: 'undo', seen: 'a' },
    { sid: 'PN1', press: 'undo', seen: 'a' },
  ],
  [
    { sid: 1, press: 'connect' },
    { sid: '1', press: 'connect', seen: '' },
  ],
  [{ sid: 'PN1', press: 'delete' }, undefined],
  [undefined, undefined],
])('reads the press %j of a browser', (given, press) => {
  expect(numberPress(given)).toEqual(press);
});
