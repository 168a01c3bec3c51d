import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions } from '../../../src/builder.ts';
import {
  eventStream,
  requests,
  requestsPerRestart,
  timeLimitMs,
} from '../../events/event-stream.ts';
import { postForged } from '../../events/post.ts';
import { type Delivered, expectOnce, postUntilReceived } from '../../events/post-until-received.ts';
import { account } from '../../events/signed.ts';
import { root } from '../../support/root.ts';
import { startPostgres } from '../../support/start-postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type SaltcornServer, startSaltcornServer } from '../saltcorn-server.ts';

const publicAddress = 'https://app.example.com';
const path = '/telephony/events';
const everyone = 100;

/** A table to which a trigger adds a row for each event. */
const pack = {
  tables: [
    {
      ...{ name: 'Delivered', min_role_read: everyone, min_role_write: 1 },
      fields: ['event', 'sid', 'status'].map((name) => ({ name, label: name, type: 'String' })),
    },
  ],
  triggers: definitions.events.map(({ id, name }) => ({
    ...{ name: `on ${name}`, when_trigger: name, action: 'insert_any_row', description: '' },
    configuration: {
      table: 'Delivered',
      row_expr: `({ event: ${JSON.stringify(id)}, sid, status })`,
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
  sid: string;
  status: string;
}

async function deliveredBy({ url }: SaltcornServer): Promise<Delivered[]> {
  const answer = (await (await fetch(`${url}/api/Delivered`)).json()) as { success: Row[] };
  return answer.success
    .sort((one, other) => one.id - other.id)
    .map(({ event, sid, status }) => [event, sid, status]);
}

const places: [name: string, options: () => Promise<object>][] = [
  ['in one worker on SQLite', async () => ({})],
  ['in two workers on PostgreSQL', async () => ({ workers: 2, database: await startPostgres() })],
];
test.each(places)(
  '%s, each event starts its triggers once across restarts, with the right last status',
  async (_, options) => {
    const { events, waiting, randomBelow } = eventStream(requests);
    const server = await start(await options());
    const { answers, restarts, unanswered } = await postUntilReceived({
      ...{
        waiting,
        randomBelow,
        requestsPerRestart,
        url: server.url + path,
        address: publicAddress + path,
      },
      restart: () => server.restart('SIGTERM'),
    });
    // The restarts interrupted some requests.
    expect(restarts).toBeGreaterThanOrEqual(2);
    expect(answers.get(undefined)).toBeGreaterThan(0);
    expectOnce(events, await deliveredBy(server), unanswered);

    const before = (await deliveredBy(server)).length;
    const ways = await postForged(server.url + path, publicAddress + path, {
      ...{ count: requests, readsForms: true },
    });
    expect(ways.has(200)).toBe(false);
    expect(ways.get(403)?.size).toBeGreaterThan(10);
    expect(await deliveredBy(server)).toHaveLength(before);
  },
  timeLimitMs,
);
