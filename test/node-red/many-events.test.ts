import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNodeRedServer } from '../browser/node-red-server.ts';
import { deliver, expectOnce, type Heard } from '../events/deliver.ts';
import { between, eventStream, requests, timeLimit } from '../events/event-stream.ts';
import { account } from '../events/signed.ts';
import { root } from '../root.ts';

const publicAddress = 'https://node-red.example.com';
const path = '/telephony/events/account';
const place = { z: 'tab', x: 0, y: 0 };

/** What is heard of an event is in a file of its own. */
const heardOf = (id: string) => `${id}.jsonl`;

/** Flows that write down each event. */
const flowsIn = (home: string, ids: string[]) => [
  { id: 'tab', type: 'tab', label: 'Events' },
  {
    ...{ id: 'account', type: 'telephony-account', publicAddress },
    ...{ username: account.username, credentials: { password: account.password } },
  },
  ...ids.flatMap((id) => [
    { ...{ id, type: `telephony-${id}`, account: 'account', ...place, wires: [[`write ${id}`]] } },
    {
      ...{ id: `write ${id}`, type: 'file', ...place, wires: [[]] },
      ...{ filename: join(home, heardOf(id)), filenameType: 'str', appendNewline: true },
      overwriteFile: 'false',
    },
  ]),
];

const heardIn = (home: string, ids: string[]): Heard[] =>
  ids.flatMap((id) =>
    readFileSync(join(home, heardOf(id)), 'utf8')
      .trim()
      .split('\n')
      .map((line): Heard => {
        const { sid, status } = JSON.parse(line);
        return [id, sid, status];
      }),
  );

test(
  `of ${requests} events each is told once, over restarts, and the last status is right`,
  async () => {
    const { happened, waiting, below } = eventStream(requests);
    const server = await startNodeRedServer(['--module', join(root, 'dist/node-red')], {});
    const ids = [...new Set(happened.map(({ about }) => about.split(' ')[0] ?? ''))];
    const deployed = await fetch(`${server.url}/flows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(flowsIn(server.home, ids)),
    });
    expect(deployed.status).toBe(204);
    const { answers, restarts } = await deliver({
      ...{ waiting, below, between, url: server.url + path, address: publicAddress + path },
      restart: () => server.restart('SIGTERM'),
    });
    // The test meets what it is about.
    expect(restarts).toBeGreaterThanOrEqual(2);
    expect(answers.get(undefined)).toBeGreaterThan(0);
    await server.restart('SIGTERM');
    expectOnce(happened, heardIn(server.home, ids));
  },
  timeLimit,
);
