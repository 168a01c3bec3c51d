import { button, createButtons, createEdit, createNative, createTrigger } from '../app.ts';
import { artefact, type Host, installPlugin, type Loose, startSaltcorn, state } from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';

let host: Host;
let website: Website;
let boss: Visitor;
let other: Visitor;
let notes: Loose;
let messages: string[];
let used = 0;

beforeAll(async () => {
  host = await startSaltcorn();
  await installPlugin(artefact, { ...host.settings, minimumRole: '100' });
  website = await startWebsite();
  notes = await createNative('Notes', { about: 'String' }, [{ about: '' }]);
  await createButtons('note', 'Show', notes, [
    button('delete', 'Delete a Message', { messageSid: '{{ about }}' }),
  ]);
  boss = await website.user();
  other = await website.user();
});
beforeEach(async () => {
  host.sandbox.reset();
  // Equal clicks within two seconds count as one, so each test has messages of its own.
  messages = host.sandbox.messages.slice(used, used + 3).map(({ sid }) => sid);
  used += 3;
  await notes.updateRow({ about: messages[0] }, 1);
});

const deleted = () =>
  host.sandbox.requests
    .filter(({ method }) => method === 'DELETE')
    .map(({ path }) => path.split('/').at(-1));

const press = (visitor = boss) =>
  visitor.post('/view/note/run_action', { rndid: 'delete', id: 1 }) as Promise<Loose>;

/** The question of a click, and the URL that runs it. */
const asked = ({ eval_js = '' }: Loose) =>
  /^if \(confirm\("(.*)"\)\) ajax_post_json\('(\/telephony\/asked\/[\w-]+)', \{\}\);$/
    .exec(eval_js)
    ?.slice(1);

test('a button asks first, and names what it deletes', async () => {
  const [question, url = ''] = asked(await press()) ?? [];
  expect(question).toBe(`Delete message ${messages[0]}? This can't be undone.`);
  expect(deleted()).toEqual([]);
  expect(await boss.post(url, {})).toMatchObject({
    notify_success: `Message ${messages[0]} deleted`,
  });
  expect(deleted()).toEqual([`${messages[0]}.json`]);
});

test('two answers delete once', async () => {
  const [, url = ''] = asked(await press()) ?? [];
  await Promise.all([boss.post(url, {}), boss.post(url, {})]);
  expect(deleted()).toEqual([`${messages[0]}.json`]);
});

test('the answer deletes what the question named, even if the row has changed since', async () => {
  const [, url = ''] = asked(await press()) ?? [];
  await notes.updateRow({ about: messages[1] }, 1);
  await boss.post(url, {});
  expect(deleted()).toEqual([`${messages[0]}.json`]);
});

test('only who was asked can answer', async () => {
  const [, url = ''] = asked(await press()) ?? [];
  for (const path of [url, '/telephony/asked/none'])
    expect(await other.post(path, {})).toMatchObject({
      notify: 'This question is too old. Press the button again.',
    });
  expect(deleted()).toEqual([]);
});

test('a missing SID is an error, and deletes nothing', async () => {
  await notes.updateRow({ about: '' }, 1);
  expect(await press()).toMatchObject({ notify: expect.stringContaining('Message SID') });
  expect(deleted()).toEqual([]);
});

test('a trigger deletes without a question', async () => {
  const { actions } = state();
  const configuration = { messageSid: messages[2] };
  expect(await actions['Delete a Message'].run({ configuration })).toMatchObject({
    notify_success: `Message ${messages[2]} deleted`,
  });
});

test('what cannot be undone is not offered for each row', () => {
  const names = Object.keys(state().actions);
  expect(names).toContain('Delete a Message');
  expect(names).toContain('Cancel a Scheduled Message for each row');
  expect(names.filter((name) => /^(Delete|Redact).* for each row/.test(name))).toEqual([]);
});

test('the trigger of a saved row deletes without a question', async () => {
  const configuration = { messageSid: '{{ about }}' };
  await createTrigger({
    ...{ name: 'saved', action: 'Delete a Message', when_trigger: 'Update' },
    ...{ table_id: notes.id, configuration },
  });
  const view = await createEdit('edit', notes, 'about');
  await boss.get(`/view/${view}?id=1`);
  await boss.post(`/view/${view}`, { id: 1, about: messages[1] });
  expect(deleted()).toEqual([`${messages[1]}.json`]);
});
