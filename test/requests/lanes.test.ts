import { connect, type HttpRequest } from '../../src/index.ts';
import { serveHttp } from '../support/serve-http.ts';
import { until } from '../support/until.ts';

const settings = { username: `AC${'0'.repeat(32)}`, password: 'not-a-real-token-5a5a' };
const sid = `RE${'0'.repeat(32)}`;
const sms = { from: '+14155550100', to: '+12025550143', body: 'Hi' };

/** A service that holds reads and audio, and answers actions at once. */
async function open() {
  const waiting: (() => void)[] = [];
  const { url } = await serveHttp((request, response) => {
    const answer = (status: number, body: object) => () =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    if (request.method === 'POST') answer(201, { sid: 'SM1', status: 'queued' })();
    else if (request.url?.includes('Recordings')) waiting.push(answer(404, {}));
    else waiting.push(answer(200, { calls: [] }));
  });
  const end = async (all: Promise<unknown>[]) => {
    const over = setInterval(() => waiting.splice(0).map((go) => go()), 5);
    await Promise.allSettled(all);
    clearInterval(over);
  };
  return { telephony: connect({ ...settings, baseUrl: url }), waiting, end };
}

test('sends an action while reads are queued', async () => {
  const { telephony, waiting, end } = await open();
  const reads = Array.from({ length: 50 }, () => telephony.run('account-calls', {}));
  await until(async () => waiting.length === 10);
  expect(await telephony.run('send-sms', sms)).toMatchObject({ sid: 'SM1' });
  expect(waiting).toHaveLength(10);
  await end(reads);
});

test('requests ten recordings at a time', async () => {
  const { telephony, waiting, end } = await open();
  const downloads = Array.from({ length: 300 }, () => telephony.media('recording', sid));
  for (const download of downloads) download.catch(() => {});
  await until(async () => waiting.length >= 10);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(waiting).toHaveLength(10);
  await end(downloads);
});

test('an abort ends a queued request for media at once', async () => {
  const { telephony, waiting, end } = await open();
  const left = new AbortController();
  const downloads = Array.from({ length: 10 }, () => telephony.media('recording', sid));
  const late = telephony.media('recording', sid, { signal: left.signal });
  for (const download of [...downloads, late]) download.catch(() => {});
  await until(async () => waiting.length === 10);
  left.abort();
  await expect(late).rejects.toMatchObject({ code: 'aborted' });
  expect(waiting).toHaveLength(10);
  await end(downloads);
  expect(waiting).toEqual([]);
});

/** A service that holds actions until they are answered, in the order in which they arrive. */
function holding(limits: { concurrency?: number } = {}) {
  const held: ((status: number) => void)[] = [];
  const sent: string[] = [];
  async function http({ body }: HttpRequest) {
    sent.push(new URLSearchParams(body).get('Body') ?? '');
    const status = await new Promise<number>((resolve) => held.push(resolve));
    if (status === 0) throw Object.assign(new Error('No connection'), { code: 'ECONNRESET' });
    const answer = status === 201 ? { sid: 'SM1', status: 'queued' } : { code: 20429 };
    const bytes = Buffer.from(JSON.stringify(answer));
    return {
      ...{ status, headers: { 'content-type': 'application/json' } },
      body: (async function* () {
        yield bytes;
      })(),
    };
  }
  const telephony = connect({
    ...{ ...settings, baseUrl: `https://service-${services++}.test`, http },
    limits: { confirmTimeoutMs: 0, ...limits },
  });
  const send = (body: string, to: string, options: object = {}) =>
    telephony.run('send-sms', { ...sms, to, body }, options).then(
      ({ sid }) => sid,
      ({ code }) => code,
    );
  return { telephony, held, sent, send };
}
let services = 0;

const phoneOf = (index: number) => `+1202555${String(index).padStart(4, '0')}`;

/** Answers all messages until the sends have ended. */
async function answerAll(held: ReturnType<typeof holding>['held'], sends: Promise<unknown>[]) {
  let isOver = false;
  const ends = Promise.all(sends).finally(() => {
    isOver = true;
  });
  await until(() => {
    for (const answer of held.splice(0)) answer(201);
    return isOver;
  });
  return ends;
}

test.each([
  ['messages of another lane', { lane: 'a flow' }],
  ['messages without a lane', {}],
])('sends an alarm at once, whatever the number of %s', async (_, options) => {
  const { held, sent, send } = holding();
  const many = Array.from({ length: 300 }, (_, index) => send(`${index}`, phoneOf(index), options));
  await until(() => held.length === 10);
  const alarm = send('alarm', phoneOf(900), { lane: 'the alarm' });
  await until(() => sent.includes('alarm'));
  expect(sent).toHaveLength(11);
  expect(new Set(await answerAll(held, [...many, alarm]))).toEqual(new Set(['SM1']));
});

test('sends a single message at once during several batches', async () => {
  const { telephony, held, sent, send } = holding();
  const rows = (batch: number) =>
    Array.from({ length: 50 }, (_, index) => ({
      input: { ...sms, to: phoneOf(batch * 100 + index), body: 'row' },
    }));
  const batches = [1, 2, 3].map((batch) => telephony.runBatch('send-sms', rows(batch)));
  // Each batch begins with five rows.
  await until(() => held.length === 15);
  const alarm = send('alarm', phoneOf(900));
  await until(() => sent.includes('alarm'));
  expect(sent).toHaveLength(16);
  await answerAll(held, [...batches, alarm]);
});

test('lanes take turns, and messages of a lane keep their order', async () => {
  const { held, sent, send } = holding({ concurrency: 1 });
  const all = [1, 2, 3].map((index) => send(`a${index}`, phoneOf(index), { lane: 'a' }));
  all.push(...[4, 5].map((index) => send(`b${index}`, phoneOf(index), { lane: 'b' })));
  all.push(send('c6', phoneOf(6), { lane: 'c' }));
  await until(() => held.length === 2);
  await answerAll(held, all);
  // One of each of two lanes is in progress: twice the concurrency.
  expect(sent).toEqual(['a1', 'b4', 'a2', 'b5', 'c6', 'a3']);
});

test('messages to one recipient are sent in the order of their calls, in any lane', async () => {
  const { held, sent, send } = holding();
  const to = phoneOf(1);
  const stop = new AbortController();
  const all = [
    send('alarm', to, { lane: 'a' }),
    send('stopped', to, { signal: stop.signal }),
    send('lost', ' +1 (202) 555-0001', { lane: 'b' }),
    send('all clear', to),
    send('another', phoneOf(2)),
  ];
  await until(() => held.length === 2);
  expect(sent).toEqual(['alarm', 'another']);
  stop.abort();
  expect(await all[1]).toBe('aborted');
  // The alarm is refused, so it is sent again, before the others.
  held[0]?.(429);
  held[1]?.(201);
  await until(() => held.length === 3);
  held[2]?.(201);
  await until(() => held.length === 4);
  // The response to the next one is lost.
  held[3]?.(0);
  await until(() => held.length === 5);
  held[4]?.(201);
  expect(sent).toEqual(['alarm', 'another', 'alarm', 'lost', 'all clear']);
  expect(await Promise.all(all)).toEqual(['SM1', 'aborted', 'unknown-outcome', 'SM1', 'SM1']);
});
