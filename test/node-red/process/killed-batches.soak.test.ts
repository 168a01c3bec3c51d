import { killedBatches, survivesKills } from '../../promises/survives-kills.ts';
import { openBatchFlow, previewBatch } from '../batch-flow.ts';

const batches = killedBatches(2, 2);

/** Opens a Node-RED that can be killed. */
async function open(settings: { password: string }) {
  // The default limit would end a long round: a flow may start its batches without a person looking.
  const account = { ...settings, perHour: '1000000' };
  const { server, post, started } = await openBatchFlow(account);
  return {
    async openPreview(rows: object[]) {
      const { said, preview, start, result } = await previewBatch(post, rows);
      if (!preview) throw new Error(said);
      const shown = ({ label = '', rows = [] }: typeof preview) => ({
        ...{ label, outcomes: rows.map(({ outcome }) => outcome) },
      });
      return { preview: shown(preview), start, result: async () => shown(await result()) };
    },
    kill: () => started(() => server.restart('SIGKILL')),
  };
}

test(
  `no one gets a message twice in ${batches} batches that are killed, and outcomes agree with the log`,
  async () => {
    const { kills, ...found } = await survivesKills(open, batches);
    expect(kills).toBeGreaterThanOrEqual(batches);
    // Some were sent before a kill, and some after it.
    expect(found.skipped).toBeGreaterThan(0);
    expect(found.sent).toBeGreaterThan(0);
  },
  60_000 + batches * 60_000,
);
