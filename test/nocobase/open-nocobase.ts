import type { Visitor } from '../../demo/nocobase/visitor.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { type NocobaseServer, startNocobase } from './nocobase-server.ts';

/** The password of the account. */
export const password = 'Open5aSesame5aOpen';

export interface AccountSettings {
  username: string;
  password: string;
  baseUrl: string;
}

/** A NocoBase with the demo's desk, and its service. */
export interface Opened {
  sandbox: Sandbox;
  server: NocobaseServer;
  /** A user without rights. */
  member: Visitor;
  /** The settings of the only account. */
  settings: AccountSettings;
}

/** Starts a NocoBase with the demo's desk, whose service is a sandbox. */
export async function openNocobase(): Promise<Opened> {
  const sandbox = await openSandbox({ password, now: new Date('2026-11-20T12:00:00Z') });
  const settings = { username: sandbox.username, password, baseUrl: sandbox.url };
  const server = await startNocobase(settings);
  return { sandbox, server, settings, member: await server.openMember() };
}

/** Returns a function that adds an account with other values, and resolves to its key. The accounts are removed after the tests. */
export function furtherAccounts(opened: () => Pick<Opened, 'server' | 'settings'>) {
  const added: string[] = [];
  afterAll(async () => {
    const { admin } = opened().server;
    for (const key of added) await admin.request('telephonyAccounts:remove', { key });
  });
  return async (values: object): Promise<string> => {
    const { server, settings } = opened();
    const account = { ...settings, label: 'Numbers', ...values };
    const { key } = Object(await server.admin.request('telephonyAccounts:save', account));
    added.push(key);
    return key;
  };
}

interface Rows {
  data: { sid: string; media?: string }[];
  meta: { hasNext: boolean };
}

/** A page of a list of the account. */
export const listRows = async (who: Visitor, collection: string, query: object) =>
  (await who.read('telephony', `${collection}:list`, query)) as Rows;
