import { setTimeout } from 'node:timers/promises';
import { seededRandom } from '../../demo/sandbox/random.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { proxyTo } from '../support/reverse-proxy.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';

/** What an app shows of a batch. */
export interface ShownBatch {
  /** The label of its button; empty if nothing is left to do. */
  label: string;
  /** The outcome of each row, in their order. */
  outcomes: string[];
}

/** A batch of rows in an app, which can be killed and pressed again. */
export interface KillableApp {
  /** Previews the rows. */
  openPreview(rows: { id: string; name: string; phone: string }[]): Promise<{
    preview: ShownBatch;
    start(): Promise<void>;
    /** Resolves when it has ended. */
    result(): Promise<ShownBatch>;
  }>;
  /** Kills the app's program like a crash, and starts it again. */
  kill(): Promise<void>;
}

/** How many batches are killed: `BATCHES=100` for a longer round than any level's. */
export const killedBatches = (short: number, long: number): number =>
  Number(process.env.BATCHES) || size(short, long);

const perBatch = 40;
/** How many messages the recipient of a row must have received, by outcome. */
const messagesOf: Record<string, number> = { sent: 1, skipped: 1, unknown: 0 };

/**
 * Kills an app at random moments of batches, and previews and starts the same rows again.
 *
 * @param open opens an app whose settings lead to a service
 * @param batches how many are killed, once or twice
 * @returns how often it was killed, and how many rows have each outcome
 */
export async function survivesKills(
  open: (settings: { username: string; password: string; baseUrl: string }) => Promise<KillableApp>,
  batches: number,
): Promise<Record<string, number>> {
  const random = seededRandom(Number(process.env.SEED ?? 28));
  const upTo = (most: number) => Math.floor(random() * most);
  const sandbox = await openSandbox();
  sandbox.messages.length = 0;
  const proxy = await proxyTo(sandbox.url);
  // So that kills meet requests before they arrive, and responses on their way back.
  proxy.handler = (_from, to, forward) => {
    void setTimeout(upTo(40)).then(() => to.destroyed || forward());
  };
  const { username, password } = sandbox;
  const { openPreview, kill } = await open({ username, password, baseUrl: proxy.url });
  const messagesTo = (phone: string) => sandbox.messages.filter(({ to }) => to === phone).length;
  const found: Record<string, number> = { kills: 0, sent: 0, skipped: 0, unknown: 0 };
  const count = (what: string) => {
    found[what] = (found[what] ?? 0) + 1;
  };

  for (let batch = 0; batch < batches; batch += 1) {
    const rows = Array.from({ length: perBatch }, (_, index) => ({
      ...{ id: `${batch}-${index}`, name: `Row ${index}` },
      phone: `+1202${5_560_000 + batch * perBatch + index}`,
    }));
    const reached = () => rows.filter(({ phone }) => messagesTo(phone) > 0).length;
    for (let kills = 1 + upTo(2); kills > 0; kills -= 1) {
      const { preview, start, result } = await openPreview(rows);
      if (!preview.label) break;
      const moment = reached() + upTo(perBatch / 2);
      await start();
      // Rows in progress at an earlier kill may never be sent, so it can end before.
      let isEnded = false;
      void result().then(
        () => {
          isEnded = true;
        },
        () => {}, // It was killed.
      );
      await until(() => isEnded || reached() >= moment);
      await setTimeout(upTo(30));
      count('kills');
      await kill();
    }
    // A second time, it sends only the remaining rows.
    const { preview, start, result } = await openPreview(rows);
    if (preview.label) await start();
    const { outcomes } = preview.label ? await result() : preview;
    for (const outcome of outcomes) count(outcome);
    const logged = rows.map(({ phone }) => messagesTo(phone));
    expect({ batch, outcomes, logged }).toEqual({
      ...{ batch, outcomes, logged: outcomes.map((outcome) => messagesOf[outcome]) },
    });
    expect(outcomes).toHaveLength(perBatch);
  }
  return found;
}
