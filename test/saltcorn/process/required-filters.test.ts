import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { button, createList, createTable, findTable } from '../app.ts';
import { type Host, type Loose, startSaltcorn } from '../host.ts';
import { startWebsite, type Visitor } from '../website.ts';

let host: Host;
let boss: Visitor;
let message: Loose;
let picture: Loose;
let running: Loose;

const recordings = () => host.sandbox.recordings as Loose[];
const [ofCall, ofMessage] = ['Of a call', 'Of a message'];

beforeAll(async () => {
  host = await startSaltcorn();
  running = recordings()[2];
  const call: Loose = host.sandbox.calls.find(({ status }) => status === 'in-progress');
  Object.assign(running, { status: 'in-progress', call_sid: call.sid });
  message = host.sandbox.receiveMessage({
    ...{ from: '+12025550143', to: '+14155550100', body: 'Look', pictures: 1 },
  });
  await createTable(ofCall, 'Telephony: Get all Recordings for a given Call');
  await createTable(ofMessage, 'Telephony: Media of a Message');
  await createTable('Of this message', 'Telephony: Media of a Message', {
    messageSid: message.sid,
  });
  [picture] = await findTable(ofMessage).getRows({ parentSid: message.sid });
  boss = await (await startWebsite()).user();
});
beforeEach(() => host.forget());

const rows = (count: number) => recordings().slice(0, count);
const allRecordings = 'GET /Recordings.json?PageSize=1000';

type FilterCase = [by: string, where: () => object, found: () => Loose[], requests: () => string[]];

const none = () => [];
const cases: FilterCase[] = [
  ['a key', () => ({ sid: rows(1)[0].sid }), () => rows(1), () => [allRecordings]],
  ['keys', () => ({ sid: { in: sidsOf(rows(3)) } }), () => rows(3), () => [allRecordings]],
  [
    'a key and another call',
    () => ({ sid: rows(1)[0].sid, callSid: running.call_sid }),
    none,
    () => [`GET /Recordings.json?CallSid=${running.call_sid}&PageSize=20`],
  ],
  ['nothing', () => ({}), none, none],
  ['another column', () => ({ status: 'completed' }), none, none],
  ['no call', () => ({ callSid: null }), none, none],
  ['no key', () => ({ sid: null }), none, none],
  ['all keys but one', () => ({ not: { sid: rows(1)[0].sid } }), none, none],
  [
    'a key or another column',
    () => ({ or: [{ sid: rows(1)[0].sid }, { status: 'completed' }] }),
    none,
    none,
  ],
];

test.each(cases)('reads the recordings of a call by %s', async (_, where, found, requests) => {
  const table = findTable(ofCall);
  expect(sidsOf(await table.getRows(where()))).toEqual(sidsOf(found()));
  expect(takeRequests(host.sandbox)).toEqual(requests());
});

test.each([{}, { status: 'completed' }, { callSid: undefined }])(
  'a chart of the recordings of a call is empty with %j',
  async (where) => {
    const figures = { val: { aggregate: 'count' } };
    const table = findTable(ofCall);
    expect(await table.aggregationQuery(figures, { where })).toEqual({ val: 0 });
    expect(await table.aggregationQuery(figures, { where, groupBy: ['status'] })).toEqual([]);
    expect(await table.getJoinedRows({ where, joinFields: {} })).toEqual([]);
    expect(takeRequests(host.sandbox)).toEqual([]);
  },
);

test('the recordings of a call have none without a call', async () => {
  const recording = recordings()[1];
  const { call_sid } = recording;
  recording.call_sid = null;
  expect(await findTable(ofCall).getRows({ sid: recording.sid })).toEqual([]);
  recording.call_sid = call_sid;
});

test('users find by its key only a row that they own', async () => {
  const table = findTable(ofCall);
  // Saltcorn can't convert this formula to a filter by the call.
  await table.update({ ownership_formula: '[user.call].includes(callSid)', min_role_read: 1 });
  const { sid, call_sid } = recordings()[0];
  const seen = (call: string) =>
    findTable(ofCall).getRow({ sid }, { forUser: { role_id: 80, call } });
  expect([(await seen(call_sid))?.sid, (await seen(running.call_sid))?.sid]).toEqual([
    sid,
    undefined,
  ]);
  expect(takeRequests(host.sandbox)).toEqual([allRecordings]);
  await table.update({ ownership_formula: null });
});

test('a button stops the recording of its row', async () => {
  const stop = { callSid: '{{ callSid }}', recordingSid: '{{ sid }}' };
  await createList('takes', findTable(ofCall), ['sid'], {
    buttons: [button('stop', 'Stop a Call Recording', stop)],
  });
  const pressed = await boss.post('/view/takes/run_action', { rndid: 'stop', sid: running.sid });
  expect(pressed).toEqual({ success: 'ok', notify_success: 'Recording status: stopped' });
  expect(takeRequests(host.sandbox)).toEqual([
    allRecordings,
    `POST /Calls/${running.call_sid}/Recordings/${running.sid}.json`,
  ]);
});

const buttons: [table: string, shown: () => object][] = [
  [
    'Of this message',
    () => ({ notify_success: `Message to +12025550143 queued: “${message.sid}”` }),
  ],
  [
    ofMessage,
    () => ({
      notify: `{{ parentSid }} in "Body" needs a row of “${ofMessage}”, but Saltcorn found none. Reload the page: the row may be gone. If it's still there, set “Message SID” in the table's settings.`,
      notify_type: 'danger',
      halt_steps: true,
    }),
  ],
];

test.each(buttons)('a button in a row of “%s” sends, or says why not', async (name, shown) => {
  const sms = { from: '+14155550100', to: '+12025550143', body: '{{ parentSid }}' };
  const list = `list ${name}`;
  await createList(list, findTable(name), ['sid'], { buttons: [button('sms', 'Send SMS', sms)] });
  const body = { rndid: 'sms', sid: picture.sid };
  expect(await boss.post(`/view/${list}/run_action`, body)).toEqual({ success: 'ok', ...shown() });
});
