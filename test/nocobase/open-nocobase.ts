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

interface Opened {
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

interface Rows {
  data: { sid: string; media?: string }[];
  meta: { hasNext: boolean };
}

/** A page of a list of the account. */
export const listRows = async (who: Visitor, collection: string, query: object) =>
  (await who.read('telephony', `${collection}:list`, query)) as Rows;
