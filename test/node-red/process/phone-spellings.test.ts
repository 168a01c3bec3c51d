import {
  askedBySpelling,
  countries,
  sentBySpelling,
  sentParameter,
  spellingsIn,
  withEach,
} from '../../support/phone-spellings.ts';
import { accountNode, type Host, type Loose, type Node, startNodeRed } from '../host.ts';
import { nodeOf } from '../node-of.ts';

let host: Host;
beforeAll(async () => {
  host = await startNodeRed();
});

const from = { inputFrom: '+14155550100', typeOfFrom: 'str' };
const nodes: Node[] = [
  {
    ...{ id: 'each', ...nodeOf('send-sms-for-each-row'), ...from },
    ...{ inputTo: 'payload.phone', typeOfTo: 'msg', inputBody: 'payload.name', typeOfBody: 'msg' },
    ...{ rowKey: 'name', rowName: 'name' },
  },
  {
    ...{ id: 'one', type: 'telephony-send-sms', ...from },
    ...{ inputTo: 'to', typeOfTo: 'msg', inputBody: 'name', typeOfBody: 'msg' },
  },
  {
    ...{ id: 'list', ...nodeOf('calls-by-caller-id') },
    ...{ inputFrom: 'from', typeOfFrom: 'msg' },
  },
];

/** Deploys the nodes in a country. Returns a function that sends a message to one, and resolves to what it sends, or rejects with its error. */
async function deploy(defaultCountry: string) {
  await host.deploy([
    accountNode(host.sandbox, { defaultCountry }),
    ...nodes.map((node) => ({ ...node, account: 'account', wires: [['sent'], [], []] })),
    { id: 'errors', type: 'catch', scope: nodes.map(({ id }) => id), wires: [['caught']] },
    ...['sent', 'caught'].map((id) => ({ id, type: 'debug', active: false })),
  ]);
  return async (id: string, message: object): Promise<Loose> => {
    const done = new Promise<Loose>((resolve, reject) => {
      host.node('sent').once('input', (sent: Loose) => resolve(sent.payload));
      host.node('caught').once('input', ({ error }: Loose) => reject(error));
    });
    host.node(id).receive({ _msgid: 'm1', ...message });
    try {
      return await done;
    } finally {
      for (const sink of ['sent', 'caught']) host.node(sink).removeAllListeners('input');
    }
  };
}

/** Several numbers in _To_, each of which gets a message of its own. */
const lists = [
  '(202) 555-0143, (202) 555-0144',
  '2025550143;2025550144',
  '+43 664 1234567\n+43 676 7654321',
];

describe.each(countries)('with the default country %j', (country) => {
  const all = spellingsIn(country);
  let receive: Awaited<ReturnType<typeof deploy>>;
  beforeAll(async () => {
    receive = await deploy(country);
  });

  test('a batch reads all spellings of numbers', async () => {
    const rows = all.map(({ name, entered }) => ({ name, phone: entered }));
    const preview = await receive('each', { payload: rows });
    const shown = preview.rows.map(({ key, who, message }: Loose) => [
      key,
      message ?? /\((.*)\)$/.exec(who)?.[1],
    ]);
    expect(Object.fromEntries(shown)).toEqual(sentBySpelling(all));
  });

  test('a field reads all spellings of numbers', async () => {
    const single = all.filter(({ entered }) => !lists.includes(String(entered)));
    const sent = await withEach(single, ({ name, entered }) =>
      sentParameter(host.sandbox.requests, 'To', () => receive('one', { to: entered, name })),
    );
    expect(sent).toEqual(sentBySpelling(single));
  });

  test('a filter asks for no other number', async () => {
    const asked = await withEach(all, ({ entered }) =>
      sentParameter(host.sandbox.requests, 'From', () => receive('list', { from: `${entered}` })),
    );
    expect(asked).toEqual(askedBySpelling(all));
  });
});
