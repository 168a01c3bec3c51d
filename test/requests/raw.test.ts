import { isDeepStrictEqual } from 'node:util';
import { connect } from '../../src/builder.ts';
import { account, answerWith, basic, isolate } from './service.ts';

isolate();

const sid = 'CA00000000000000000000000000000001';
const sent = {
  ...{ sid, status: 'busy', duration: '60', annotation: null, is_new: true },
  subresource_uris: { events: `/Calls/${sid}/Events.json` },
};
const open = (raw?: boolean) => connect({ ...account, raw });
type Account = ReturnType<typeof open>;

/** Each way to get a record of a call. */
const ways: [way: string, answer: object, read: (telephony: Account) => Promise<unknown>][] = [
  ['a record', sent, (telephony) => telephony.run('view-a-call', { callSid: sid })],
  [
    'a page',
    { calls: [sent] },
    async (telephony) => (await telephony.run('account-calls')).records[0],
  ],
  [
    'an iteration',
    { calls: [sent] },
    async (telephony) => (await telephony.records('account-calls').next()).value,
  ],
  ['an action', sent, (telephony) => telephony.run('end-a-call', { callSid: sid })],
  ['the wait for a final status', sent, (telephony) => telephony.waitForFinalStatus('call', sid)],
];

test.each(ways)(
  '%s has what the service sent only if the account keeps it',
  async (_, body, read) => {
    answerWith([
      { status: 200, body },
      { status: 200, body },
    ]);
    const [record, plain] = [await read(open(true)), await read(open())];
    expect(record).toMatchObject({ sid, duration: 60 });
    expect(record).toHaveProperty('raw', sent);
    expect(Reflect.ownKeys(plain as object)).not.toContain('raw');
    // No copy carries it to places that expect the fields of the shape.
    expect(isDeepStrictEqual(record, plain)).toBe(true);
    expect(JSON.stringify(record)).toBe(JSON.stringify(plain));
    expect([structuredClone(record), { ...(record as object) }]).toStrictEqual([plain, plain]);
    expect(structuredClone(record)).not.toHaveProperty('raw');
  },
);

const read = async (body: object) => {
  answerWith([{ status: 200, body: { sid, ...body } }]);
  const { raw } = await open(true).run('view-a-call', { callSid: sid });
  return raw;
};

const { password } = account;
const echoes: [place: string, sent: object, raw: object][] = [
  ['a text', { note: `It is ${password}.` }, { note: 'It is ***.' }],
  ['an object in a list', { links: [{ url: basic.slice(6) }] }, { links: [{ url: '***' }] }],
  ['a name', { [password]: [1] }, { '***': [1] }],
  ['a known field', { from: password }, { from: '***' }],
  [
    'none, but what can be no text',
    { toString: 1, ['__proto__']: { a: 1 } },
    { toString: 1, ['__proto__']: { a: 1 } },
  ],
];

test.each(echoes)('masks a secret in %s', async (_, body, raw) => {
  expect(JSON.stringify(await read(body))).toBe(JSON.stringify({ sid, ...raw }));
});

test('reads what is nested deeper than a call stack, once', async () => {
  const depth = 100_000;
  answerWith([
    { status: 200, body: `{"sid":"${sid}","deep":${'['.repeat(depth)}${']'.repeat(depth)}}` },
  ]);
  const record = await open(true).run('view-a-call', { callSid: sid });
  expect(record.raw).toHaveProperty('deep');
  expect(record.raw).toBe(record.raw);
});
