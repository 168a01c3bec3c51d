import type { App } from './app.ts';
import { type Case, promises } from './promises.ts';
import { secretsIn } from './secrets.ts';
import { openService, type Service } from './service.ts';

const recordingsIn = (text: string) => [...new Set(text.match(/\bRE[0-9a-f]{32}\b/g))].sort();

/** The recipients of more than one message. */
const reachedTwice = (reached: string[]) =>
  reached.filter((to, index) => reached.indexOf(to) < index);

/** The actual and the expected outcome of a case. */
async function outcome({ tried, ...one }: Case, app: App, service: Service) {
  const { sandbox, elsewhere } = service;
  const read = await tried(app, service);
  const reached = sandbox.messages.map(({ to }) => to).sort();
  return {
    actual: {
      // On a mismatch, the whole text explains the failure best.
      reads: one.reads?.test(read) === false ? read : one.reads,
      reached: one.reachesSome ? reachedTwice(reached) : reached,
      shows: one.shows && recordingsIn(read),
      requests: one.sendsNothing && sandbox.requests.map(({ method, path }) => `${method} ${path}`),
      leakedCredentials: elsewhere.credentials,
      secrets: secretsIn(read),
    },
    expected: {
      reads: one.reads,
      reached: [...(one.reached ?? [])].sort(),
      shows: one.shows?.(service).sort(),
      requests: one.sendsNothing && [],
      leakedCredentials: [],
      secrets: [],
    },
  };
}

/**
 * Runs the table of promises in a builder.
 *
 * @param builder its folder in `plugin/`
 * @param open opens an app in its real program, with a service in its settings
 * @param openTimeoutMs how long that may take
 */
export function keepsPromises(
  builder: string,
  open: (service: Service) => Promise<App>,
  openTimeoutMs?: number,
) {
  describe(`in ${builder}`, () => {
    let service: Service;
    let app: App;
    beforeAll(async () => {
      service = await openService();
      app = await open(service);
    }, openTimeoutMs);
    beforeEach(() => {
      service.reset();
      service.sandbox.messages.length = 0;
    });

    describe.each(Object.entries(promises))('%s', (_, cases) => {
      for (const one of cases) {
        const reason = one.without?.[builder];
        if (reason) {
          test.skip(`${one.name} (not in this builder, since ${reason})`, () => {});
          continue;
        }
        test(
          one.name,
          async () => {
            for (const fault of one.faults ?? []) service.sandbox.faults.add(fault);
            const { actual, expected } = await outcome(one, app, service);
            expect(actual).toEqual(expected);
          },
          one.restarts && openTimeoutMs,
        );
      }
    });
  });
}
