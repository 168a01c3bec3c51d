import { fixtures } from '../../events/fixtures.ts';
import { postEvent } from '../../events/post.ts';
import { signedForm } from '../../events/signed.ts';
import { type App, people, type Run, type vagueFilters } from '../../promises/app.ts';
import { keepsPromises } from '../../promises/keeps-promises.ts';
import { openService, type Service } from '../../promises/service.ts';
import { until } from '../../support/until.ts';
import { startTiny } from './start-tiny.ts';

// The made-up builder Tiny, in a child process. It shows that src/builder.ts suffices for a builder that keeps the
// promises.

const from = ['+14155550100'];

/** The batch filter to enter, for each filter that selects no one. */
const filters: Record<(typeof vagueFilters)[number], unknown> = {
  'is false': false,
  'is false for everyone': [{ column: 'name', is: 'No one' }],
  'is null': null,
  'has no value': [{ column: 'name' }],
  'has no value for one of two': [{ column: 'name', is: 'Person 1' }, { column: 'name' }],
  'names a column that does not exist': [{ column: 'nmae', is: 'Person 1' }],
  'cannot be parsed': 'name.startsWith("Person")',
};

async function openInTiny({ settings }: Service): Promise<App> {
  const { url, post, kill, entries, written } = await startTiny();
  await post('/save', settings);
  const sms = (to: unknown, body = 'Hello') => ({
    ...{ action: 'send-sms', form: { from, to: [to], body: [body] } },
  });
  const list = { list: 'recordings-by-caller-id', form: { from: [{ column: 'phone' }] } };

  async function openPreview(form: object): Promise<Run> {
    const said = await post('/preview', { ...sms({ column: 'phone' }), ...form });
    const { key, state, label = '', text: shown = said } = JSON.parse(said);
    const see = async () => (await post('/see', { key })).replaceAll('\\n', '\n');
    return {
      question: state ? `${shown}\n${label}` : said,
      start: async () => void (await post('/start', { key })),
      stop: async () => void (await post('/stop', { key })),
      shown: see,
      async result() {
        let said = '';
        await until(async () => {
          said = await see();
          return /"state":"(ended|interrupted)"/.test(said);
        });
        return said;
      },
    };
  }

  const shownRows = (name?: string) =>
    people.flatMap((one, id) => (name === undefined || one.name === name ? [id] : []));
  const audioUrl = (sid: string) => `/media?recording/${sid}`;
  return {
    get page(): never {
      throw new Error('Tiny has no pages that a browser shows.');
    },
    async send({ to, body }, clicks = 1) {
      const said = await Promise.all(
        Array.from({ length: clicks }, () => post('/press', sms(to, body))),
      );
      return said.join('\n');
    },
    sendTo: (row) => post('/press', { ...sms({ column: 'phone' }), row }),
    recordingsOf: (row) => post('/list', { ...list, row }),
    boundToNothing: Object.fromEntries(
      [{}, { phone: null }, { phone: ' ' }, { phone: false }, undefined].map((row) => [
        JSON.stringify(row),
        () => post('/list', { ...list, row }),
      ]),
    ),
    forEachRow: {
      text: ({ name, skipsSent = false }) => openPreview({ shown: shownRows(name), skipsSent }),
      textWhere: (filter) => openPreview({ shown: shownRows(), where: filters[filter] }),
      restart: kill,
    },
    sendUnattended: async ({ to, body }) => void (await post('/unattended', sms(to, body))),
    log: async () => written(),
    limitsReached: () => post('/events', {}),
    saveSettings: (typed) => post('/save', { ...settings, password: '', ...typed }),
    testConnection: (typed) => post('/test', { ...settings, password: '', ...typed }),
    audioUrl: (sid) => url + audioUrl(sid),
    async *openPages() {},
    everything: async () => ({ 'the store': JSON.stringify(entries()), 'the output': written() }),
    stranger: {
      send: ({ to, body }) => post('/press', sms(to, body), ''),
      recordings: () => post('/list', { ...list, row: { phone: '+12025550143' } }, ''),
      listen: async (sid) => (await fetch(url + audioUrl(sid))).text(),
      testConnection: () => post('/test', {}, ''),
    },
  };
}

keepsPromises('tiny', openInTiny);

test('an event is delivered once, also if it is repeated after a restart', async () => {
  const { settings } = await openService();
  const { url, post, kill } = await startTiny();
  await post('/save', settings);
  const [fixture] = fixtures;
  if (!fixture) throw new Error('There is no event to report.');
  const [id, { parameters, record }] = fixture;
  // The request contains no date, so the date is the time of receipt.
  const own = { ...record, accountSid: settings.username, dateCreated: expect.any(String) };
  const address = `${url}/telephony/events`;
  const report = (token = settings.password) =>
    postEvent(
      address,
      signedForm({ ...parameters, AccountSid: settings.username }, { token, url: address }),
    );
  expect((await report('forged')).status).toBe(403);
  expect((await report()).status).toBe(200);
  expect((await report()).status).toBe(200);
  expect(JSON.parse(await post('/events', {}))).toMatchObject([{ id, record: own }]);
  await kill();
  expect((await report()).status).toBe(200);
  expect(JSON.parse(await post('/events', {}))).toEqual([]);
});
