import type { Account, Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import { actionHandlers, type Done } from '../../../plugin/nocobase/server/action/action.ts';
import type { Application, Context, Handler } from '../../../plugin/nocobase/server/nocobase.ts';
import { nocobaseStore, storeCollection } from '../../../plugin/nocobase/server/store.ts';
import { clicks, connect } from '../../../src/builder.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { openDatabase } from '../open-database.ts';

// Two processes of NocoBase share only the database.

let sandbox: Sandbox;
let processes: Record<string, Handler>[];

beforeAll(async () => {
  sandbox = await openSandbox();
  const app = { db: await openDatabase([storeCollection]) } as unknown as Application;
  const { username, password, url: baseUrl } = sandbox;
  const telephony = connect({ username, password, baseUrl });
  const account = {
    ...{ key: 'a', settings: {}, defaultSender: '', roles: { 'send-sms': ['clerk'] } },
    telephony: () => telephony,
  } as unknown as Account;
  const accounts = { get: async () => account } as unknown as Accounts;
  processes = [1, 2].map(() => actionHandlers(app, accounts, clicks<Done>(nocobaseStore(app))));
});
beforeEach(() => {
  sandbox.messages.length = 0;
});

async function click(process: number, body: string, user = 1): Promise<Done> {
  const input = { from: '+14155550100', to: '+12025550143', body };
  const context = {
    ...{ action: { params: { values: { input } } }, state: { currentRoles: ['clerk'] } },
    ...{ auth: { user: { id: user } }, body: undefined as unknown, t: (text: string) => text },
  };
  await processes[process]?.['send-sms']?.(context as unknown as Context, async () => {});
  return context.body as Done;
}

test('two clicks in each of two processes send once, and each gets the message', async () => {
  const all = await Promise.all([0, 1, 0, 1].map((process) => click(process, 'Once')));
  expect(sandbox.messages).toHaveLength(1);
  const [message] = sandbox.messages;
  for (const { record, message: sentence } of all) {
    expect(record.sid).toBe(message?.sid);
    expect(sentence).toBe('Message to +12025550143 queued: “Once”');
  }
});

test('clicks of different users and texts each send', async () => {
  await Promise.all([click(0, 'One'), click(1, 'Other'), click(1, 'One', 2)]);
  expect(sandbox.messages).toHaveLength(3);
});
