import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createNative, createTable, findTable } from '../app.ts';
import { type Host, type Loose, saltcorn, startSaltcorn, state } from '../host.ts';

let host: Host;
let recording: Loose;
let recorded: Loose;
let customer: number;

// A number as people write it.
const byHand = (number: string) =>
  `${number.slice(0, 2)} (${number.slice(2, 5)}) ${number.slice(5)}`;

beforeAll(async () => {
  host = await startSaltcorn();
  const { calls, recordings } = host.sandbox;
  recording = recordings[0];
  recorded = calls.find((call) => call.sid === recording.call_sid);
  const customers = await createNative('Customers', { name: 'String', phone: 'String' }, [
    { name: 'Nobody', phone: null },
    { name: 'Ada', phone: byHand(recorded.from) },
    { name: 'Grace', phone: '+19998887777' },
  ]);
  customer = (await customers.getRow({ name: 'Ada' })).id;
  await createTable('Calls', 'Telephony: Calls by caller id', { key_from: 'Customers.phone' });
  await createTable('Recordings', 'Telephony: Recordings by caller id', {
    key_callSid: 'Calls',
    key_from: 'Customers.phone',
  });
  await createTable('Call recordings', 'Telephony: Get all Recordings for a given Call', {
    key_callSid: 'Calls',
  });
  const call = { type: 'Key to Calls', reftype: 'String', refname: 'sid' };
  await createNative('Notes', { call, text: 'String' }, [
    { call: recorded.sid, text: 'rude' },
    { call: recorded.sid, text: 'sorry' },
  ]);
});
beforeEach(() => host.forget());

const fieldOf = (table: string, name: string) => findTable(table).getField(name);

test('a key setting makes a column refer to another table', () => {
  expect(fieldOf('Recordings', 'callSid')).toMatchObject({
    type: 'Key',
    is_fkey: true,
    label: 'Call SID',
    reftable_name: 'Calls',
    reftype: 'String',
    refname: 'sid',
    attributes: { summary_field: 'from' },
  });
  expect(fieldOf('Calls', 'fromRow')).toMatchObject({
    type: 'Key',
    label: 'From (Customers)',
    reftable_name: 'Customers',
    reftype: 'Integer',
    refname: 'id',
    attributes: { summary_field: 'name' },
  });
  const columns = findTable('Calls').fields.map((field: Loose) => field.name);
  expect(columns.indexOf('fromRow')).toBe(columns.indexOf('from') + 1);
});

test('recordings in a view show who called, and whose number it is, with and without a filter', async () => {
  const shown = async (more: object) => {
    const where = { sid: recording.sid, ...more };
    const [row] = await findTable('Recordings').getJoinedRows({ where, limit: 20 });
    return [row.from, row.fromRow];
  };
  expect(await shown({})).toEqual([recorded.from, customer]);
  expect(takeRequests(host.sandbox)).toEqual([
    'GET /Recordings.json?PageSize=1000',
    `GET /Calls/${recorded.sid}.json`,
  ]);
  expect(await shown({ from: recorded.from })).toEqual([recorded.from, customer]);
});

test('recordings in a view sort by who called', async () => {
  const { calls, recordings } = host.sandbox;
  const callers = new Map(calls.map(({ sid, from }) => [sid, String(from)]));
  const rows = await findTable('Recordings').getJoinedRows({ limit: 1000, orderBy: 'from' });
  expect(rows.map(({ from }: Loose) => from)).toEqual(
    recordings.map(({ call_sid }) => callers.get(String(call_sid))).sort(),
  );
});

test('Saltcorn offers the relations in its builder', async () => {
  const { child_field_list } = await findTable('Calls').get_child_relations();
  expect(child_field_list.sort()).toEqual([
    'Call recordings.callSid',
    'Notes.call',
    'Recordings.callSid',
  ]);
  const { parent_field_list } = await findTable('Recordings').get_parent_relations(true);
  expect(parent_field_list).toEqual(
    expect.arrayContaining(['callSid.status', 'callSid.fromRow.name', 'fromRow.name']),
  );
});

test('a key to a deleted column joins nothing and says so, and filters by it fail', async () => {
  const clients = await createNative('Clients', { name: 'String', phone: 'String' }, [
    { name: 'Ada', phone: byHand(recorded.from) },
  ]);
  await createTable('Their calls', 'Telephony: Calls by caller id', { key_from: 'Clients.phone' });
  const joined = async () => {
    const joinFields = { name: { ref: 'fromRow', target: 'name' } };
    const rows = await findTable('Their calls').getJoinedRows({ where: {}, joinFields });
    return new Set(rows.map(({ name }: Loose) => name));
  };
  expect(await joined()).toEqual(new Set(['Ada', null]));
  await clients.getField('phone').delete();
  await state().refresh_tables();
  expect(fieldOf('Their calls', 'fromRow')).toMatchObject({ type: 'Key', is_fkey: true });
  const flashed: string[][] = [];
  const req = {
    ...{ method: 'GET', xhr: false, headers: { accept: 'text/html' }, user: { role_id: 1 } },
    ...{ flash: (...args: string[]) => flashed.push(args), res: { status: () => {} } },
  };
  const page = { tenant: 'public', req };
  expect(await saltcorn('data/db').runWithTenant(page, joined)).toEqual(new Set([null]));
  const sentence =
    "“Clients” has no column “phone”. Choose another one under “Link tables” in the table's settings.";
  expect(flashed).toEqual([['warning', `<div>${sentence}</div>`]]);
  for (const fromRow of [1, null, { not: null }])
    await expect(findTable('Their calls').getRows({ fromRow })).rejects.toThrow(sentence);
});

test('a key to a deleted table becomes a plain column', async () => {
  await createTable('Short-lived', 'Telephony: Account Calls');
  await createTable('Orphans', 'Telephony: Recordings by caller id', {
    key_callSid: 'Short-lived',
  });
  expect(fieldOf('Orphans', 'callSid').type).toBe('Key');
  await findTable('Short-lived').delete();
  await state().refresh_tables();
  expect(fieldOf('Orphans', 'callSid').type.name).toBe('String');
  expect(await findTable('Orphans').getRows({}, { limit: 1 })).toHaveLength(1);
});

const joined = async (table: string, joinFields: object, where: object = {}) =>
  findTable(table).getJoinedRows({ where, joinFields, limit: 5 });

describe('join columns', () => {
  test('show values of the call of a recording and look up each call once', async () => {
    const rows = await joined('Recordings', {
      status: { ref: 'callSid', target: 'status' },
      caller: { ref: 'callSid', target: 'from' },
    });
    const expected = host.sandbox.recordings.slice(0, 5).map(({ sid, call_sid }) => {
      const call = host.sandbox.calls.find((one) => one.sid === call_sid);
      return { sid, status: call?.status, caller: call?.from };
    });
    expect(rows.map(({ sid, status, caller }: Loose) => ({ sid, status, caller }))).toEqual(
      expected,
    );
    const calls = new Set(host.sandbox.recordings.slice(0, 5).map(({ call_sid }) => call_sid));
    expect(takeRequests(host.sandbox).sort()).toEqual([
      ...[...calls].map((sid) => `GET /Calls/${sid}.json`).sort(),
      'GET /Recordings.json?PageSize=100',
    ]);
  });

  test('send no request for the key itself', async () => {
    const key = { call: { ref: 'callSid', target: 'sid' } };
    const [row] = await joined('Call recordings', key, { callSid: recorded.sid });
    expect(row.call).toBe(recorded.sid);
    expect(takeRequests(host.sandbox)).toEqual([
      `GET /Recordings.json?CallSid=${recorded.sid}&PageSize=20`,
    ]);
  });

  test('show the customer with that number, however it is written', async () => {
    const [row] = await joined(
      'Calls',
      { name: { ref: 'fromRow', target: 'name' } },
      { sid: recorded.sid },
    );
    expect(row).toMatchObject({ from: recorded.from, fromRow: customer, name: 'Ada' });
    const others = await joined(
      'Calls',
      { name: { ref: 'fromRow', target: 'name' } },
      { not: { from: recorded.from } },
    );
    expect(new Set(others.map(({ fromRow, name }: Loose) => [fromRow, name].join()))).toEqual(
      new Set([',']),
    );
  });

  test('show the customer of a caller whose number is typed with spaces', async () => {
    const rows = await joined(
      'Recordings',
      { name: { ref: 'fromRow', target: 'name' } },
      { from: byHand(recorded.from) },
    );
    expect(rows).not.toHaveLength(0);
    expect(new Set(rows.map(({ from, name }: Loose) => `${from} ${name}`))).toEqual(
      new Set([`${recorded.from} Ada`]),
    );
  });

  test('read only the customers whose number is on the page', async () => {
    const others = Array.from({ length: 30 }, (_, index) => ({
      ...{ name: `Other ${index}`, phone: `+120255598${String(index).padStart(2, '0')}` },
    }));
    const customers = findTable('Customers');
    for (const other of others) await customers.insertRow(other);
    const select = jest.spyOn(saltcorn('data/db'), 'select');
    const [row] = await joined(
      'Calls',
      { name: { ref: 'fromRow', target: 'name' } },
      { from: recorded.from },
    );
    expect(row.name).toBe('Ada');
    const read = await Promise.all(
      select.mock.calls.map(([table], index) =>
        table === 'Customers' ? (select.mock.results[index]?.value as Promise<Loose[]>) : [],
      ),
    );
    expect(read.flat().map(({ name }: Loose) => name)).toEqual(['Ada', 'Ada']);
    select.mockRestore();
    await customers.deleteRows({ name: { ilike: 'Other' } });
  });

  test('follow further keys', async () => {
    const rows = await joined(
      'Call recordings',
      { name: { ref: 'callSid', through: 'fromRow', target: 'name' } },
      { callSid: recorded.sid },
    );
    expect(new Set(rows.map(({ name }: Loose) => name))).toEqual(new Set(['Ada']));
  });

  test('follow further keys through rows that the user may not read', async () => {
    const joinFields = { name: { ref: 'callSid', through: 'fromRow', target: 'name' } };
    const table = findTable('Call recordings');
    await table.update({ min_role_read: 80 });
    await findTable('Calls').update({ min_role_read: 1 });
    await state().refresh_tables();
    const req = { method: 'GET', headers: {}, user: { id: 7, role_id: 80 } };
    const rows = await saltcorn('data/db').runWithTenant({ tenant: 'public', req }, () =>
      findTable('Call recordings').getJoinedRows({ where: { callSid: recorded.sid }, joinFields }),
    );
    expect(new Set(rows.map(({ name }: Loose) => name))).toEqual(new Set(['Ada']));
  });

  test('become objects for formulas', async () => {
    const [row] = await joined(
      'Calls',
      {
        x: { ref: 'fromRow', target: 'name', rename_object: ['fromRow', 'name'] },
      },
      { sid: recorded.sid },
    );
    expect(row.fromRow).toEqual({ id: customer, name: 'Ada' });
  });

  test('of native tables show the values of a call', async () => {
    const rows = await findTable('Notes').getJoinedRows({
      joinFields: { status: { ref: 'call', target: 'status' } },
    });
    expect(rows.map(({ text, status }: Loose) => [text, status])).toEqual([
      ['rude', recorded.status],
      ['sorry', recorded.status],
    ]);
    expect(takeRequests(host.sandbox)).toEqual([`GET /Calls/${recorded.sid}.json`]);
  });

  test('of an empty key are empty and send no request', async () => {
    expect(await findTable('Calls').getRow({ sid: null })).toBeNull();
    expect(takeRequests(host.sandbox)).toEqual([]);
  });
});

describe('filters by keys', () => {
  const byCall = (sid: string) => `GET /Recordings.json?CallSid=${sid}&PageSize=20`;
  const cases = (): [where: object, table: string, requests: string[]][] => {
    const from = encodeURIComponent(recorded.from);
    return [
      [{ callSid: recorded.sid }, 'Recordings', [byCall(recorded.sid)]],
      [{ sid: recorded.sid, callSid: recorded.sid }, 'Recordings', [byCall(recorded.sid)]],
      [
        { callSid: { in: [recorded.sid, 'CA404'] } },
        'Recordings',
        [byCall('CA404'), byCall(recorded.sid)],
      ],
      [{ callSid: { in: [] } }, 'Recordings', []],
      [{ fromRow: customer }, 'Calls', [`GET /Calls.json?From=${from}&PageSize=1000`]],
      [{ fromRow: { in: [customer] } }, 'Calls', [`GET /Calls.json?From=${from}&PageSize=1000`]],
      [{ fromRow: 404 }, 'Calls', []],
      [
        { fromRow: [{ inSelect: { table: 'Customers', field: 'id', where: { name: 'Ada' } } }] },
        'Calls',
        [`GET /Calls.json?From=${from}&PageSize=1000`],
      ],
      [
        {
          sid: [
            { inSelect: { table: 'Notes', field: 'call', where: { text: { ilike: 'rude' } } } },
          ],
        },
        'Calls',
        [`GET /Calls/${recorded.sid}.json`],
      ],
    ];
  };
  const names = [
    'one call',
    'one call, in a view of the call',
    'two calls',
    'no call',
    'a customer',
    'a list of one customer',
    'an unknown customer',
    'the name of a customer',
    'a note',
  ];
  test.each(names.map((name, index) => [name, index] as const))('work for %s', async (_, index) => {
    const [where, table, requests] = cases()[index] ?? [{}, '', []];
    const rows = await findTable(table).getRows(where);
    expect(takeRequests(host.sandbox).sort()).toEqual(requests.sort());
    const { calls, recordings } = host.sandbox;
    const records: Loose[] = table === 'Calls' ? calls : recordings;
    const fits = (one: Loose) => {
      if (requests.length === 0) return false;
      if (table === 'Recordings') return one.call_sid === recorded.sid;
      return 'fromRow' in where ? one.from === recorded.from : one.sid === recorded.sid;
    };
    expect(sidsOf(rows).sort()).toEqual(sidsOf(records.filter(fits)).sort());
  });

  test('list the calls from a customer and the calls to them separately', async () => {
    const keys = { key_from: 'Customers.phone', key_to: 'Customers.phone' };
    const table = await createTable('All calls', 'Telephony: Account Calls', keys);
    const { child_field_list } = await findTable('Customers').get_child_relations();
    expect(child_field_list).toEqual(
      expect.arrayContaining(['All calls.fromRow', 'All calls.toRow']),
    );
    const { calls } = host.sandbox;
    Object.assign(calls.at(-1) as Loose, { to: recorded.from, from: '+14155550100' });
    for (const [own, name] of [
      ['from', 'From'],
      ['to', 'To'],
    ] as const) {
      takeRequests(host.sandbox);
      const joinFields = { name: { ref: `${own}Row`, target: 'name' } };
      const rows = await table.getJoinedRows({ where: { [`${own}Row`]: customer }, joinFields });
      expect(sidsOf(rows)).toEqual(sidsOf(calls.filter((call) => call[own] === recorded.from)));
      expect(rows.at(-1).name).toBe('Ada');
      const number = encodeURIComponent(recorded.from);
      expect(takeRequests(host.sandbox)).toEqual([
        `GET /Calls.json?${name}=${number}&PageSize=1000`,
      ]);
    }
  });

  test('find callers who are not customers', async () => {
    const rows = await findTable('Calls').getRows({ fromRow: null });
    expect(sidsOf(rows)).toEqual(
      sidsOf(host.sandbox.calls.filter(({ from }) => from !== recorded.from)),
    );
  });

  test('fail with an unknown operator and do not return all rows', async () => {
    await expect(findTable('Calls').getRows({ status: { sounds_like: 'bisy' } })).rejects.toThrow(
      'A filter by “sounds_like” is not possible here.',
    );
  });

  test('fail with too many calls at once', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `CA${index}`);
    await expect(findTable('Recordings').getRows({ callSid: { in: many } })).rejects.toThrow(
      'A filter can have at most 100 values of “callSid”. Use fewer.',
    );
    expect(takeRequests(host.sandbox)).toEqual([]);
  });
});

test('aggregates the rows that belong to a call', async () => {
  const aggregation = (
    aggregate: string,
    field: string,
    table = 'Recordings',
    ref = 'callSid',
  ) => ({
    table,
    ref,
    field,
    aggregate,
  });
  const [row] = await findTable('Calls').getJoinedRows({
    where: { sid: recorded.sid },
    aggregations: {
      recordings: aggregation('Count', 'sid'),
      seconds: aggregation('Sum', 'duration'),
      longest: aggregation('Max', 'duration'),
      shortest: aggregation('Min', 'duration'),
      average: aggregation('Avg', 'duration'),
      newest: aggregation('Latest dateCreated', 'sid'),
      statuses: aggregation('CountUnique', 'status'),
      notes: aggregation('Array_Agg', 'text', 'Notes', 'call'),
      rude: { ...aggregation('Count', 'id', 'Notes', 'call'), where: { text: 'rude' } },
      // In a view's formula, it has a name of its own.
      RecordingscallSiddurationsum: {
        ...aggregation('sum', 'duration'),
        rename_to: 'Recordings$callSid$duration$sum',
      },
    },
  });
  const own = host.sandbox.recordings.filter(({ call_sid }) => call_sid === recorded.sid);
  const seconds = own.map(({ duration }) => Number(duration)).sort((a, b) => a - b);
  const sum = seconds.reduce((all, one) => all + one, 0);
  expect(row).toMatchObject({
    recordings: own.length,
    seconds: sum,
    longest: seconds.at(-1),
    shortest: seconds[0],
    average: expect.closeTo(sum / own.length, 9),
    newest: own[0]?.sid,
    statuses: new Set(own.map(({ status }) => status)).size,
    notes: ['rude', 'sorry'],
    rude: 1,
    Recordings$callSid$duration$sum: sum,
  });
});
