import { rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, isList, operation, pickSettings } from '../../src/builder.ts';
import { openWithRequests, takeRequests } from '../descriptions/requests.ts';
import { failureOf } from './failure-of.ts';
import {
  askedBySpelling,
  countries,
  sentBySpelling,
  sentParameter,
  spellingsIn,
  withEach,
} from './phone-spellings.ts';
import { serveHttp } from './serve-http.ts';
import { shownNowhere } from './shown-nowhere.ts';

type Values = Record<string, unknown>;

/** A builder in which each query runs by itself. */
export interface QueryApp {
  /** Runs a query, and rejects with the message that the builder shows. Equal queries at the same time run in several processes. */
  run(id: string, values: Values, settings: object | undefined): Promise<object[]>;
  /** Starts an action, ends its process once it has sent, runs the action again, and returns the message. */
  runAfterKill(
    id: string,
    values: Values,
    settings: object,
    hasSent: () => boolean,
  ): Promise<string>;
  /** Tests a connection, and returns the message, which is empty if it works. */
  testConnection(settings: object | undefined): Promise<string>;
  /** The path of the folder in which the plugin stores actions. */
  store: string;
}

/**
 * Tests what every builder whose queries run by themselves has in common.
 *
 * @param open starts the builder, with a folder of its own
 */
export function runsQueries(open: () => QueryApp) {
  let opened: Awaited<ReturnType<typeof openWithRequests>>;
  let app: QueryApp;
  let count = 0;

  beforeAll(async () => {
    opened = await openWithRequests();
    app = open();
  });
  beforeEach(() => {
    opened.sandbox.reset();
    opened.sandbox.requests.length = 0;
  });

  const run = (id: string, values: Values, settings: object = {}) =>
    app.run(id, values, { ...opened.settings, ...settings });

  /** An SMS that no other test sends. */
  function sms() {
    count += 1;
    const numbers = { from: '+14155550100', to: '+12025550143' };
    return { ...numbers, body: `Your table is ready, number ${count}.` };
  }
  const sent = ({ body }: { body: string }) =>
    opened.sandbox.messages.filter((message) => message.body === body);
  const send = (values: Values, settings?: object) => run('send-sms', values, settings);

  async function runInLibrary(id: string, input: object, limit: number) {
    const telephony = connect(pickSettings(opened.settings));
    const one = operation(id);
    if (!isList(one)) await telephony.run(one.id, input);
    else for await (const _ of telephony.pages(one.id, input, { limit }));
  }

  test('a query sends the requests of the library, for every operation', async () => {
    const { sandbox, inputs } = opened;
    const limit = 2;
    for (const [id, { pageSize: _, ...input }] of inputs) {
      await runInLibrary(id, input, limit).catch(() => undefined);
      const requests = takeRequests(sandbox);
      sandbox.reset();
      await run(id, { ...input, limit }).catch(() => undefined);
      expect([id, takeRequests(sandbox)]).toEqual([id, requests]);
      expect(requests.length).toBeGreaterThan(0);
      sandbox.reset();
    }
  });

  test.each([
    ['an empty filter', { from: '', status: '*' }, '“From” is empty. Enter a value, or * for all.'],
    ['spaces', { from: ' ', status: '*' }, '“From” is empty. Enter a value, or * for all.'],
    ['no filter', { from: null, status: '*' }, '“From” is empty. Enter a value, or * for all.'],
    ['false', { from: false, status: '*' }, '"From" must be a phone number'],
    ['an invisible space', { from: '\u200b', status: '*' }, '"From" must be a phone number'],
    ['a list of filters', { from: [], status: '*' }, '"From" must be a phone number'],
    ['an unknown status', { from: '*', status: 'null' }, '"Status" must be one of'],
    ['a limit in words', { from: '*', status: '*', limit: 'ten' }, '“Limit” must be a whole'],
    ['a limit of 0', { from: '*', status: '*', limit: 0 }, '“Limit” must be a whole number'],
    ['a limit that is true', { from: '*', status: '*', limit: true }, '“Limit” must be a whole'],
  ])('a list asks nothing of the service for %s', async (_, values, message) => {
    expect(await failureOf(run('calls-by-caller-id', values))).toContain(message);
    expect(takeRequests(opened.sandbox)).toEqual([]);
  });

  test.each(['null', 'undefined', 'false', '+', '%', '**'])(
    'a list has no records for the filter %j',
    async (from) => {
      expect(await run('calls-by-caller-id', { from, status: '*' })).toEqual([]);
    },
  );

  test.each(countries)('numbers are read, with the default country %j', async (country) => {
    const all = spellingsIn(country);
    const settings = { defaultCountry: country };
    const { requests } = opened.sandbox;
    const sent = await withEach(all, ({ name, entered }) =>
      sentParameter(requests, 'To', () =>
        send({ from: '+14155550100', to: entered, body: name }, settings),
      ),
    );
    expect(sent).toEqual(sentBySpelling(all));
    const asked = await withEach(all, ({ entered }) =>
      sentParameter(requests, 'From', () =>
        run('calls-by-caller-id', { from: `${entered}`, status: '*' }, settings),
      ),
    );
    expect(asked).toEqual(askedBySpelling(all));
  });

  /** Runs a list of a service that sends these records, each a page. */
  async function runWith(...records: object[]): Promise<object[]> {
    const { url: baseUrl } = await serveHttp(({ url = '' }, response) => {
      const page = Number(new URL(url, 'http://service').searchParams.get('Page') ?? 0);
      const next = `${url.split('?')[0]}?Page=${page + 1}`;
      const body = { calls: [records[page]], next_page_uri: records[page + 1] ? next : null };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
    });
    return run('account-calls', {}, { baseUrl });
  }
  const missing = (count: string) => `${count} missing here: the service sent`;

  test('a list that lacks records says so in its first one', async () => {
    const [ada, bob] = ['CA1', 'CA2'].map((sid) => ({ sid, from: '+12025550143' }));
    expect(await runWith(ada ?? {}, { from: '+12025550144' }, bob ?? {})).toEqual([
      expect.objectContaining({ ...ada, hint: expect.stringContaining(missing('1 record is')) }),
      expect.not.objectContaining({ hint: expect.anything() }),
    ]);
    expect(await runWith(ada ?? {})).toEqual([
      expect.not.objectContaining({ hint: expect.anything() }),
    ]);
  });

  test('a list without a record that can be read is an error that says why', async () => {
    const message = await failureOf(runWith({ from: '+12025550143' }, { status: 'busy' }));
    expect(message).toContain(missing('2 records are'));
  });

  test('an SMS is sent once by equal queries at the same time', async () => {
    const values = sms();
    const results = await Promise.all([send(values), send(values), send(values)]);
    const record = expect.objectContaining({ ...values, sid: sent(values)[0]?.sid });
    expect(results).toEqual(Array(3).fill([record]));
    expect(sent(values)).toHaveLength(1);
  });

  test('an SMS is not sent again if its process ends, and the query runs again', async () => {
    const values = sms();
    opened.sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 60_000 });
    const hasSent = () => sent(values).length > 0;
    const message = await app.runAfterKill('send-sms', values, opened.settings, hasSent);
    expect(message).toContain('did not start it again');
    expect(sent(values)).toHaveLength(1);
  });

  test('an SMS is confirmed if the response gets lost', async () => {
    const values = sms();
    opened.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
    // New processes, because the sandbox's clock stands still: to older ones, the message was created too early.
    const result = await open().run('send-sms', values, opened.settings);
    expect(result).toEqual([expect.objectContaining(values)]);
    expect(sent(values)).toHaveLength(1);
  });

  test('an SMS has an unknown outcome if the service has no message log, and is not sent again', async () => {
    const values = sms();
    opened.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
    opened.sandbox.faults.add(shownNowhere);
    const unknown = 'is unknown; it was not sent again';
    expect(await failureOf(send(values))).toContain(unknown);
    expect(await failureOf(send(values))).toContain(unknown);
    expect(sent(values)).toHaveLength(1);
  });

  test('an action with other credentials gets neither the result nor the error of an equal one', async () => {
    const values = sms();
    const rejected = 'The service rejected the credentials.';
    expect(await failureOf(send(values, { password: 'wrong-5a5a' }))).toContain(rejected);
    expect(await send(values)).toEqual([expect.objectContaining(values)]);
    expect(await failureOf(send(values, { password: 'other-5a5a' }))).toContain(rejected);
    expect(sent(values)).toHaveLength(1);
  });

  test('actions are stored where only this user can read them', async () => {
    await send(sms());
    expect((statSync(app.store).mode & 0o777).toString(8)).toBe('700');
  });

  test('an action sends nothing if it cannot be stored, and says why', async () => {
    const values = sms();
    const broken = open();
    writeFileSync(broken.store, '');
    const message = await failureOf(broken.run('send-sms', values, opened.settings));
    expect(message).toContain(
      `Nothing was sent: the plugin could not use its file ${broken.store}`,
    );
    expect(sent(values)).toEqual([]);
    rmSync(broken.store);
    expect(await broken.run('send-sms', values, opened.settings)).toHaveLength(1);
  });

  test.each([undefined, {}])(
    'settings that were never filled in, as %j, are named',
    async (settings) => {
      const missing = '"username" in the data source is empty.';
      expect(await failureOf(app.run('account-calls', {}, settings))).toContain(missing);
      expect(await app.testConnection(settings)).toContain(missing);
    },
  );

  test('a connection is tested', async () => {
    expect(await app.testConnection(opened.settings)).toBe('');
  });

  test('a connection fails with a wrong password, which no error contains', async () => {
    const password = 'Wrong5aSesame5aWrong';
    const settings = { ...opened.settings, password };
    const base64 = Buffer.from(`${settings.username}:${password}`).toString('base64');
    const error = await app.run('account-calls', {}, settings).catch((caught) => caught);
    const message = await app.testConnection(settings);
    expect(message).toContain('The service rejected the credentials.');
    expect(error.message).toContain('The service rejected the credentials.');
    const text = JSON.stringify([message, error.message, error.stack, Object.entries(error)]);
    for (const form of [password, base64]) expect(text).not.toContain(form);
  });
}
