import { connect } from '../../src/builder.ts';
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
