import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  eventStream,
  requests,
  requestsPerRestart,
  timeLimitMs,
} from '../../events/event-stream.ts';
import { type Delivered, expectOnce, postUntilReceived } from '../../events/post-until-received.ts';
import { account } from '../../events/signed.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { until } from '../../support/until.ts';
import { startNodeRedServer } from '../node-red-server.ts';

const publicAddress = 'https://node-red.example.com';
const path = '/telephony/events/account';
const place = { z: 'tab', x: 0, y: 0 };

/** The file to which a flow writes the deliveries of an event. */
const fileOf = (id: string) => `${id}.jsonl`;

const ofProxy = {
  ...{ publicAddress, username: account.username, credentials: { password: account.password } },
};

/** Flows that store each event of an account in a file. */
const flowsIn = (home: string, ids: string[], settings: object) => [
  { id: 'tab', type: 'tab', label: 'Events' },
  { id: 'account', type: 'telephony-account', ...settings },
  ...ids.flatMap((id) => [
    { ...{ id, type: `telephony-${id}`, account: 'account', ...place, wires: [[`write ${id}`]] } },
    {
      ...{ id: `write ${id}`, type: 'file', ...place, wires: [[]] },
      ...{ filename: join(home, fileOf(id)), filenameType: 'str', appendNewline: true },
      overwriteFile: 'false',
    },
  ]),
];

const deliveredIn = (home: string, ids: string[]): Delivered[] =>
  ids.flatMap((id) =>
    readFileSync(join(home, fileOf(id)), 'utf8')
      .trim()
      .split('\n')
      .map((line): Delivered => {
        const { sid, status } = JSON.parse(line);
        return [id, sid, status];
      }),
  );

async function deploy({ url }: { url: string }, flows: object[]) {
  const deployed = await fetch(`${url}/flows`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(flows),
  });
  expect(deployed.status).toBe(204);
}

test(
  `delivers each of ${requests} events once across restarts, with the right last status`,
  async () => {
    const { events, waiting, randomBelow } = eventStream(requests);
    const server = await startNodeRedServer(['--module', join(root, 'dist/node-red')], {});
    const ids = [...new Set(events.map(({ subject }) => subject.split(' ')[0] ?? ''))];
    await deploy(server, flowsIn(server.home, ids, ofProxy));
    const { answers, restarts } = await postUntilReceived({
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
    await server.restart('SIGTERM');
    expectOnce(events, deliveredIn(server.home, ids));
  },
  timeLimitMs,
);

const isPolled = (file: string) =>
  existsSync(file) && readFileSync(file, 'utf8').includes('answeredAt');

/** Enough for four starts of Node-RED on a busy machine. */
const restartsMs = 300_000;

test(
  'delivers polled events once and in order across restarts',
  async () => {
    const sandbox = await openSandbox();
    const { username, password, url: baseUrl } = sandbox;
    const server = await startNodeRedServer(['--module', join(root, 'dist/node-red')], {});
    const ids = ['sms-received'];
    const settings = { username, credentials: { password }, baseUrl, pollMinutes: '0.1' };
    await deploy(server, flowsIn(server.home, ids, settings));
    await until(() => isPolled(join(server.home, 'telephony-store-account.jsonl')));
    const events: Delivered[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 100; count += 1) {
        const sms = { from: '+12025550143', to: '+14155550100', body: `${round} ${count}` };
        events.push(['sms-received', sandbox.receiveMessage(sms).sid, 'received']);
      }
      await server.restart('SIGTERM');
    }
    const file = join(server.home, fileOf('sms-received'));
    const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0);
    await until(() => lines() >= events.length);
    expect(deliveredIn(server.home, ids)).toEqual(events);
  },
  restartsMs,
);
