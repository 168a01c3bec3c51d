import { join } from 'node:path';
import { killedBatches, survivesKills } from '../../promises/survives-kills.ts';
import { root } from '../../support/root.ts';
import { until } from '../../support/until.ts';
import { account, batchFlow, previewBatch } from '../batch-flow.ts';
import { startNodeRedServer } from '../node-red-server.ts';

const batches = killedBatches(2, 2);

/** Starts a Node-RED with a flow that texts each row. */
async function open({
  password,
  ...settings
}: {
  username: string;
  password: string;
  baseUrl: string;
}) {
  const server = await startNodeRedServer(['--module', join(root, 'dist/node-red')], {});
  const starts = () => server.written().split('Started flows').length;
  const headers = { 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const options = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(server.url + path, options)).text();
  };
  async function started(act: () => Promise<unknown>) {
    const before = starts();
    await act();
    await until(() => starts() > before);
  }
  await started(() =>
    post('/flows', [
      { id: account, type: 'telephony-account', ...settings, credentials: { password } },
      { id: 'app', type: 'tab', label: 'App' },
      ...batchFlow,
    ]),
  );
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
