import type { App } from './app.ts';
import { type Case, promises } from './promises.ts';
import { secretsIn } from './secrets.ts';
import { openService, type Service } from './service.ts';

const recordingsIn = (text: string) => [...new Set(text.match(/\bRE[0-9a-f]{32}\b/g))].sort();

/** Those of whom the service holds more than one message. */
const reachedTwice = (reached: string[]) =>
  reached.filter((to, index) => reached.indexOf(to) < index);

/** What came of a case, and what should have. */
async function outcome({ tried, ...one }: Case, app: App, service: Service) {
  const { sandbox, elsewhere } = service;
  const read = await tried(app, service);
  const reached = sandbox.messages.map(({ to }) => to).sort();
  return {
    is: {
      // What was read instead says most about what else is not as it should be.
      reads: one.reads?.test(read) === false ? read : one.reads,
      reached: one.reachesSome ? reachedTwice(reached) : reached,
      shows: one.shows && recordingsIn(read),
      asks: one.asksNothing && sandbox.requests.map(({ method, path }) => `${method} ${path}`),
      heardElsewhere: elsewhere.heard,
      secrets: secretsIn(read),
    },
    shouldBe: {
      reads: one.reads,
      reached: [...(one.reached ?? [])].sort(),
      shows: one.shows?.(service).sort(),
      asks: one.asksNothing && [],
      heardElsewhere: [],
      secrets: [],
    },
  };
}

/**
 * Runs the table of promises in a builder.
 *
 * @param builder its folder in `plugin/`
 * @param open makes an app in its real program, whose settings lead to a service
 * @param patience how long that may take, in milliseconds
 */
export function keepsPromises(
  builder: string,
  open: (service: Service) => Promise<App>,
  patience?: number,
) {
  describe(`in ${builder}`, () => {
    let service: Service;
    let app: App;
    beforeAll(async () => {
      service = await openService();
      app = await open(service);
    }, patience);
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
        test(one.name, async () => {
          for (const fault of one.faults ?? []) service.sandbox.faults.add(fault);
          const { is, shouldBe } = await outcome(one, app, service);
          expect(is).toEqual(shouldBe);
        });
      }
    });
  });
}
