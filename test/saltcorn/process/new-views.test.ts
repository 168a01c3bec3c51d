import { createNative, createTable, createView, findTable } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  model,
  startSaltcorn,
  state,
} from '../host.ts';
import { startWebsite, type Visitor } from '../website.ts';

let host: Host;
let boss: Visitor;
let website: Awaited<ReturnType<typeof startWebsite>>;

beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  boss = await website.user();
  await installPlugin(artefact, { ...host.settings, freshSeconds: 300 });
  await createTable('calls', 'Telephony: Account Calls');
  await createTable('recordings', 'Telephony: Recordings by caller id');
});

/** Creates a view as the builder does, which a user then doesn't change. */
async function createNew(name: string, template: string, table: string) {
  const { id } = findTable(table);
  const configuration = await state().viewtemplates[template].initial_config({ table_id: id });
  return createView(name, template, { id }, configuration);
}

/** The cells of a list's column. */
function cells(html: string, label: string) {
  const rows = [...html.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell),
  );
  const [heads = [], ...others] = rows;
  const column = heads.findIndex((head) => head.replace(/<[^>]*>/g, '').trim() === label);
  return others.map((row) => row[column]);
}

const badge = (status: string) => new RegExp(`^<span class="badge [^"]+">${status}</span>$`);

test('a new list of calls shows statuses in colours and durations in minutes', async () => {
  await createNew('calls', 'List', 'calls');
  const [call] = host.sandbox.calls as [Loose];
  Object.assign(call, { status: 'no-answer', duration: '65' });
  await installPlugin(artefact, { ...host.settings, freshSeconds: 300 });
  const html = await boss.get('/view/calls');
  expect(cells(html, 'Status')[0]).toMatch(badge('no-answer'));
  expect(cells(html, 'Duration')[0]).toBe('1:05');
});

test('a new list of recordings shows them, too, and who called', async () => {
  await createNew('recordings', 'List', 'recordings');
  const html = await boss.get('/view/recordings');
  const callers = new Map(host.sandbox.calls.map(({ sid, from }) => [sid, from]));
  expect(cells(html, 'From')).toEqual(
    host.sandbox.recordings.slice(0, 20).map(({ call_sid }) => callers.get(String(call_sid))),
  );
  expect(cells(html, 'Status')).toContainEqual(expect.stringMatching(badge('completed')));
  expect(cells(html, 'Duration')).toContainEqual(expect.stringMatching(/^\d+:\d\d$/));
});

const inputs: [fieldview: string, choice: RegExp][] = [
  ['checkbox_group', /value="([^"]+)"[^>]*><label[^>]*>([^<]+)</g],
  ['radio_group', /value="([^"]+)"[^>]*><label[^>]*>([^<]+)</g],
  ['edit', /<option value="([^"]+)"[^>]*>([^<]+)</g],
];
const labels: [language: string, column: string, label: string[]][] = [
  ['de', 'status', ['no-answer', 'keine Antwort']],
  ['en', 'status', ['no-answer', 'no-answer']],
  ['de', 'direction', ['outbound-api', 'Ausgehend (API)']],
  ['en', 'direction', ['outbound-api', 'Outbound api']],
];

test.each(inputs)('a filter by %s names the choices as lists do', async (fieldview, choice) => {
  const fields = ['status', 'direction'].map((field_name) => ({ field_name, fieldview }));
  await createView('choices', 'Filter', findTable('calls'), {
    columns: fields.map((field) => ({ ...field, type: 'Field' })),
    layout: { above: fields.map((field) => ({ ...field, type: 'field' })) },
  });
  for (const [language, column, label] of labels) {
    const html = await boss.get(`/view/choices?${column}=${label[0]}`, {
      'accept-language': language,
    });
    const shown = [...html.matchAll(choice)].map(([input, ...texts]) => ({ input, texts }));
    const found = shown.filter(({ texts }) => texts[0] === label[0]);
    expect(found.map(({ texts }) => texts)).toEqual([label]);
    expect(found[0]?.input).toMatch(/ (checked|selected)/);
  }
  await model('view').findOne({ name: 'choices' }).delete();
});

test('a new view of one call shows its status and duration', async () => {
  await createNew('call', 'Show', 'calls');
  const [{ sid }] = host.sandbox.calls as [Loose];
  const html = await boss.get(`/view/call?sid=${sid}`);
  expect(html).toMatch(/badge [^"]+">no-answer</);
  expect(html).toMatch(/>\s*1:05\s*</);
});

test('filters, formulas and the API get the values', async () => {
  const [{ sid }] = host.sandbox.calls as [Loose];
  const [field] = findTable('calls')
    .getFields()
    .filter(({ name }: Loose) => name === 'status');
  expect(field.type_name).toBe('String');
  expect((await field.distinct_values()).map(({ value }: Loose) => value)).toContain('no-answer');
  const html = await boss.get('/view/calls?status=no-answer&duration=65');
  expect(cells(html, 'Duration')).toEqual(['1:05']);
  expect(await findTable('calls').getRow({ sid })).toMatchObject({
    ...{ status: 'no-answer', duration: 65 },
  });
});

test('columns of other tables look as before', async () => {
  await createNative('Own', { status: 'String', duration: 'Integer' }, [
    { status: 'no-answer', duration: 65 },
  ]);
  await createNew('own', 'List', 'Own');
  const html = await boss.get('/view/own');
  expect([cells(html, 'status'), cells(html, 'duration')]).toEqual([['no-answer'], ['65']]);
});
