import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { seededRandom } from '../../demo/sandbox/random.ts';
import { killedBatches } from '../promises/survives-kills.ts';
import { messagesOf, phoneOf } from '../stores/batch-of-sms.ts';
import { proxyTo } from '../support/reverse-proxy.ts';
import { root } from '../support/root.ts';
import { size } from '../support/size.ts';
import { startProgram } from '../support/start-program.ts';
import { until } from '../support/until.ts';
import { sandboxWith } from './lost-responses.ts';

const count = 60;
const latencyMs = 20;
const rounds = killedBatches(1, 1);
const random = seededRandom(Number(process.env.SEED ?? 51));
const upTo = (most: number) => 1 + Math.floor(random() * most);

/** When a process freezes, and how often it takes this step at least. */
const steps: [what: string, step: string, most: number][] = [
  ['before a request', 'before request', count / 2],
  ['before it stores which rows start', 'before insert batch changes', 4],
  ['after it stored which rows start', 'after insert batch changes', 4],
  ['before it renews its lease', 'before swap batches', 2],
  ['after a response', 'after request', count / 2],
];

/**
 * The tests of two processes that both believe that they own a batch.
 *
 * @param program returns the path of the bundled child program
 * @param place returns where a new store is
 */
export function outlivesItsLease(
  program: () => string,
  store: string,
  place: () => string | Promise<string>,
) {
  /** Starts a process that texts the rows. */
  function start(url: string, at: string, ...moment: [step: string, count: number] | []) {
    const args = [program(), url, store, at, count, ...moment].map(String);
    const child = startProgram(process.execPath, args, {
      ...{ cwd: root, stdio: ['ignore', 'pipe', 'inherit'] as const },
    });
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    return {
      hasPrinted: (line: string) => printed.split('\n').includes(line),
      goOn: () => child.kill('SIGCONT'),
      async outcomes(): Promise<string[]> {
        await once(child, 'close');
        return JSON.parse(printed.split('\n').at(-1) ?? '');
      },
    };
  }

  test.each(steps.slice(0, size(1, steps.length)))(
    `${store}: a batch whose process froze %s, and goes on after another one has resumed it, sends to no one twice`,
    async (_, step, most) => {
      for (let round = 0; round < rounds; round += 1) {
        const sandbox = await sandboxWith();
        const proxy = await proxyTo(sandbox.url);
        proxy.handler = (_from, _to, forward) => void setTimeout(latencyMs).then(forward);
        const at = await place();
        const moment = [step, upTo(most)] as const;
        const owner = start(proxy.url, at, ...moment);
        await until(() => owner.hasPrinted('frozen'));
        const other = start(proxy.url, at);
        await until(() => other.hasPrinted('started'));
        const later = Math.min(sandbox.messages.length + upTo(count / 4), count);
        await until(() => sandbox.messages.length >= later);
        owner.goOn();
        await Promise.all([owner.outcomes(), other.outcomes()]);
        const last = await start(proxy.url, at).outcomes();
        const sent = last.map(
          (_, index) => sandbox.messages.filter(({ to }) => to === phoneOf(index)).length,
        );
        expect({ moment, last, sent }).toEqual({
          ...{ moment, last, sent: last.map((outcome) => messagesOf[outcome]) },
        });
      }
    },
    // Longer than each wait, so that the error names what it waited for.
    600_000,
  );
}
