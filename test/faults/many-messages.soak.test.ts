import { setMaxListeners } from 'node:events';
import type { Fault } from '../../demo/sandbox/index.ts';
import { TelephonyError } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { size } from '../support/size.ts';
import { bytesInUse } from './memory.ts';
import { account, skipRetryWaits, telephonyAt } from './service.ts';

const messages = size(300, 4_000);
const rounds = 20;
const together = 20;
const seed = 7;
const megabyte = 2 ** 20;

/** Generous for a slow machine that runs other tests. */
const timeoutMs = 600_000;

/** Each hits a share of the requests that passed the earlier ones: a fifth of all requests in total. */
const share = 0.035;
const names: Fault['name'][] = [
  ...(['server-error', 'reset-before', 'reset-after'] as const),
  ...(['truncated', 'html', 'empty'] as const),
];
/** Few, because after each one the client starts again with one request at a time, which takes long on a busy machine. */
const refusedShare = 0.003;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ ...account, seed });
  for (const name of names) sandbox.faults.add({ name, probability: share, times: messages * 9 });
  sandbox.faults.add({ name: 'rate-limited', probability: refusedShare, times: messages * 9 });
  sandbox.faults.add({
    ...{ name: 'slow', delayMs: 60_000 },
    ...{ probability: 0.003, times: messages * 9 },
  });
});
beforeEach(() => skipRetryWaits());
afterEach(() => jest.restoreAllMocks());

const reports = ['resolved', 'unknown-outcome', 'rate-limited'] as const;

test(
  `sends ${messages} messages, ${together} at a time, with a fifth of the answers faulty: never twice, never lost without an error`,
  async () => {
    // One signal for all messages, like that of a program's shutdown.
    const { signal } = new AbortController();
    setMaxListeners(together, signal);
    const telephony = telephonyAt(sandbox.url, { idleTimeoutMs: 500, concurrency: together });
    const stored = new Uint8Array(messages);
    const reported = new Array<string>(messages).fill('nothing');
    const sids = new Set<string>();
    const seen = { requests: 0, faults: 0, lost: 0 };
    const heap: number[] = [];

    // The sandbox's own records would hide the client's memory use.
    function countAndForget() {
      for (const { body } of sandbox.messages.splice(0)) {
        const index = /^Message (\d+)$/.exec(body ?? '')?.[1];
        if (index) stored[Number(index)] = (stored[Number(index)] ?? 0) + 1;
      }
      for (const { fault, stored: sid } of sandbox.requests.splice(0)) {
        seen.requests += 1;
        if (fault) seen.faults += 1;
        if (fault && sid) seen.lost += 1;
      }
    }
    async function send(index: number) {
      const to = `+1202${5_550_000 + index}`;
      const sms = { from: '+14155550100', to, body: `Message ${index}` };
      try {
        const { sid } = await telephony.run('send-sms', sms, { signal });
        sids.add(sid);
        return 'resolved';
      } catch (error) {
        return error instanceof TelephonyError ? error.code : String(error);
      }
    }

    let next = 0;
    async function sendUntil(end: number) {
      while (next < end) {
        const index = next;
        next += 1;
        reported[index] = await send(index);
      }
    }
    for (let end = messages / rounds; end <= messages; end += messages / rounds) {
      await Promise.all(Array.from({ length: together }, () => sendUntil(end)));
      countAndForget();
      heap.push(bytesInUse());
    }

    const tally = Object.fromEntries(
      reports.map((code) => {
        const own = [...stored].filter((_, index) => reported[index] === code);
        const times = (number: number) => own.filter((one) => one === number).length;
        return [code, { none: times(0), one: times(1), more: own.length - times(0) - times(1) }];
      }),
    );
    const halves = (heap.at(-1) ?? 0) - (heap[heap.length / 2 - 1] ?? 0);
    expect(seen.faults / seen.requests).toBeGreaterThan(0.17);
    expect(seen.faults / seen.requests).toBeLessThan(0.23);
    expect(reported.filter((code) => !(reports as readonly string[]).includes(code))).toEqual([]);
    expect(tally).toEqual({
      resolved: { none: 0, one: expect.any(Number), more: 0 },
      'unknown-outcome': { none: expect.any(Number), one: expect.any(Number), more: 0 },
      'rate-limited': { none: expect.any(Number), one: 0, more: 0 },
    });
    expect(tally.resolved?.one).toBeGreaterThan(messages * 0.8);
    // Confirmation finds almost every message whose response was lost.
    expect(sids.size).toBe(tally.resolved?.one);
    expect(seen.lost).toBeGreaterThan(messages * 0.07);
    expect(tally['unknown-outcome']?.one).toBeLessThan(3 + seen.lost / 100);
    expect(halves).toBeLessThan(16 * megabyte);
  },
  timeoutMs,
);
