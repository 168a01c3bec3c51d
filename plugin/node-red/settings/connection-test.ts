import {
  type ConnectionTest,
  definitions,
  type Said,
  sentenceOf,
  TelephonyError,
  testSettings,
} from '../../../src/builder.ts';
import { runningAccount } from '../account/account.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import { limitsOf, settingOf } from '../account/variables.ts';
import type { Handler, NodeRed, Request } from '../node-red.ts';
import { defaultSenderField } from './default-sender.ts';

/** The result of a connection test, whose sentence the editor translates. */
export type TestReport = Omit<ConnectionTest, 'message'> & { said: Said };

async function test(RED: NodeRed, { params, body }: Request): Promise<TestReport> {
  try {
    const id = params.id ?? '';
    const { typed, stored } = effectiveSettings(RED, id, body);
    const { [defaultSenderField.key]: entered = '' } = Object(body);
    const node = runningAccount(id);
    const sender = settingOf(RED, node, defaultSenderField, entered);
    const spending = limitsOf(RED, node, Object(body));
    const result = await testSettings(typed, stored, { sender, spending });
    const { message, ...report } = result;
    return { ...report, said: sentenceOf(result) ?? message };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { outcome: 'wrong-settings', said: error.said };
  }
}

/** Rejects anything but JSON: another site's page can send a form with the user's login, but no JSON. */
export const takesJsonOnly: Handler = ({ headers }, response, next) =>
  headers['content-type']?.startsWith('application/json')
    ? next()
    : response.writeHead(415, { 'Content-Type': 'text/plain' }).end('JSON only.');

/** Serves the connection test. Requires the right to change flows: users who have it can use the secrets anyway. */
export function registerConnectionTest(RED: NodeRed) {
  const handler: Handler = (request, response, next) =>
    void test(RED, request)
      .then((result) => response.json(result))
      .catch(next);
  const path = `/${definitions.manifest.id}/test-connection/:id`;
  RED.httpAdmin.post(path, RED.auth.needsPermission('flows.write'), takesJsonOnly, handler);
}
