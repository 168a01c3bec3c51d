import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { addKey } from '../../plugin/gateway/keys.ts';
import { openStore } from '../../plugin/gateway/store.ts';
import { bundleProgram } from '../support/bundle-program.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { serveHttp } from '../support/serve-http.ts';
import { size } from '../support/size.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { until } from '../support/until.ts';
import { callerAt, everything, publicAddress, reportSms } from './open-gateway.ts';
import { startGateway, variablesOf } from './start-gateway.ts';

const kills = Number(process.env.KILLS ?? size(6, 20));

/** An event at a receiver. */
interface Got {
  id: string;
  /** That of its record. */
  sid: string;
  isAccepted: boolean;
}

/** Opens a receiver that refuses some events, and accepts some without an answer. */
async function openReceiver() {
  const got: Got[] = [];
  const { url } = await serveHttp(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const id = String(request.headers['webhook-id']);
    const chance = randomInt(10);
    const { record } = JSON.parse(Buffer.concat(parts).toString());
    got.push({ id, sid: record.sid, isAccepted: chance > 0 });
    if (chance === 1) response.destroy();
    else response.writeHead(chance === 0 ? 503 : 204).end();
  });
  return { url, got };
}

const first = <Item>(items: Item[]) => [...new Set(items)];

test(
  'two processes that are killed while they send events: each arrives, in order, and repeated only with its id',
  async () => {
    const program = bundleProgram('test/gateway/impatient-gateway.ts');
    const [sandbox, databaseUrl] = await Promise.all([openSandbox(), startPostgres()]);
    const { store, close } = openStore({ databaseUrl, databaseFile: '' });
    closeAfterwards({ close });
    const { text } = await addKey(store, 'receivers', everything);
    const variables = {
      ...variablesOf(sandbox, databaseUrl),
      ...{ TELEPHONY_PUBLIC_ADDRESS: publicAddress, TELEPHONY_PRIVATE_WEBHOOKS: 'true' },
    };
    const processes = await Promise.all([1, 2].map(() => startGateway(program, variables)));
    const anyUrl = () => processes[randomInt(processes.length)]?.url ?? '';
    const wanted = ['all', ['sms-received']];
    const receivers = await Promise.all(
      wanted.map(async (events) => {
        const receiver = await openReceiver();
        const body = { url: receiver.url, events };
        const { status } = await callerAt(anyUrl(), text)('/v1/subscriptions', { body });
        expect(status).toBe(201);
        return receiver;
      }),
    );

    let isOver = false;
    /** Reports one after the other, as often as the service does not get an answer. Returns their SIDs. */
    async function reports(reporter: number): Promise<string[]> {
      const sids: string[] = [];
      while (!isOver) {
        const number = `${reporter}${String(sids.length).padStart(31, '0')}`;
        const isCall = randomInt(3) === 0;
        const sid = (isCall ? 'CA' : 'SM') + number;
        const event = isCall
          ? { CallSid: sid, CallStatus: 'ringing', Direction: 'inbound' }
          : { MessageSid: sid };
        const report = () => reportSms(anyUrl(), sandbox, event).then(({ ok }) => ok);
        while (!(await report().catch(() => false))) await setTimeout(randomInt(20, 200));
        sids.push(sid);
        await setTimeout(randomInt(50));
      }
      return sids;
    }
    async function kill() {
      for (let count = 0; count < kills; count += 1) {
        await setTimeout(randomInt(1_500));
        await processes[count % 2]?.killAndStart();
      }
      isOver = true;
    }
    const [reported] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, (_, index) => reports(index))),
      kill(),
    ]);

    const journal: { id: string; type: string; record: { sid: string } }[] = [];
    for (let [cursor, more] = ['start', true]; more; ) {
      const { body } = await callerAt(anyUrl(), text)(`/v1/events?cursor=${cursor}&limit=1000`);
      journal.push(...body.events);
      ({ cursor, more } = body);
    }
    // A process that is killed before it answers the service leaves an event in the journal twice, with one id.
    const known = new Map(journal.map((event) => [event.id, event]));
    const inJournal = [...known.values()];
    const sids = inJournal.map(({ record }) => record.sid);
    expect(new Set(sids).size).toBe(sids.length);
    reported.forEach((own, index) => {
      expect(sids.filter((sid) => sid[2] === String(index))).toEqual(own);
    });
    const expected = [
      inJournal.map(({ id }) => id),
      inJournal.filter(({ type }) => type === 'sms-received').map(({ id }) => id),
    ];
    await until(() =>
      receivers.every(({ got }, index) => {
        const accepted = new Set(got.filter((one) => one.isAccepted).map(({ id }) => id));
        return accepted.size >= (expected[index]?.length ?? 0);
      }),
    );
    receivers.forEach(({ got }, index) => {
      expect(first(got.filter((one) => one.isAccepted).map(({ id }) => id))).toEqual(
        expected[index],
      );
      expect(first(got.map(({ id }) => id))).toEqual(expected[index]);
      // An event keeps its id when it is repeated.
      expect(first(got.map(({ id, sid }) => id + sid))).toHaveLength(expected[index]?.length ?? 0);
    });
  },
  120_000 + kills * 20_000,
);
