import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions } from '../../../src/builder.ts';
import { deliver, expectOnce, type Heard } from '../../events/deliver.ts';
import { between, eventStream, requests, timeLimit } from '../../events/event-stream.ts';
import { postForged } from '../../events/post.ts';
import { account } from '../../events/signed.ts';
import { root } from '../../support/root.ts';
import { startPostgres } from '../../support/start-postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type SaltcornServer, startSaltcornServer } from '../saltcorn-server.ts';

const publicAddress = 'https://app.example.com';
const path = '/telephony/events';
const everyone = 100;

/** A table that keeps what each event starts a trigger with. */
const pack = {
  tables: [
    {
      ...{ name: 'Heard', min_role_read: everyone, min_role_write: 1 },
      fields: ['event', 'about', 'came'].map((name) => ({ name, label: name, type: 'String' })),
    },
  ],
  triggers: definitions.events.map(({ id, name }) => ({
    ...{ name: `on ${name}`, when_trigger: name, action: 'insert_any_row', description: '' },
    configuration: {
      table: 'Heard',
      row_expr: `({ event: ${JSON.stringify(id)}, about: sid, came: status })`,
    },
  })),
  ...{ views: [], pages: [], plugins: [], roles: [], library: [], tags: [], models: [] },
  ...{ model_instances: [], event_logs: [], page_groups: [], code_pages: [] },
};

async function start(options: object): Promise<SaltcornServer> {
  const file = join(temporaryFolder('many-events'), 'pack.json');
  writeFileSync(file, JSON.stringify(pack));
  return startSaltcornServer({
    ...{ plugin: join(root, 'dist/saltcorn'), pack: file },
    configuration: { ...account, publicAddress },
    ...options,
  });
}

interface Row {
  id: number;
  event: string;
  about: string;
  came: string;
}

async function heardBy({ url }: SaltcornServer): Promise<Heard[]> {
  const answer = (await (await fetch(`${url}/api/Heard`)).json()) as { success: Row[] };
  return answer.success
    .sort((one, other) => one.id - other.id)
    .map(({ event, about, came }) => [event, about, came]);
}

const places: [name: string, options: () => Promise<object>][] = [
  ['in one worker on SQLite', async () => ({})],
  ['in two workers on PostgreSQL', async () => ({ workers: 2, database: await startPostgres() })],
];
test.each(places)(
  '%s, each event starts its triggers once across restarts, with the right last status',
  async (_, options) => {
    const { happened, waiting, below } = eventStream(requests);
    const server = await start(await options());
    const { answers, restarts, unanswered } = await deliver({
      ...{ waiting, below, between, url: server.url + path, address: publicAddress + path },
      restart: () => server.restart('SIGTERM'),
    });
    // The test meets what it is about.
    expect(restarts).toBeGreaterThanOrEqual(2);
    expect(answers.get(undefined)).toBeGreaterThan(0);
    expectOnce(happened, await heardBy(server), unanswered);

    const before = (await heardBy(server)).length;
    const ways = await postForged(server.url + path, publicAddress + path, {
      ...{ count: requests, readsForms: true },
    });
    expect(ways.has(200)).toBe(false);
    expect(ways.get(403)?.size).toBeGreaterThan(10);
    expect(await heardBy(server)).toHaveLength(before);
  },
  timeLimit,
);
