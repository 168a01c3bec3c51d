import { definitions, pickSettings, testSettings } from '../../../src/index.ts';
import { secretKeys } from '../account/account-node.ts';
import type { Handler, NodeRed } from '../node-red.ts';

/** What the editor shows in place of a stored secret. */
const unchanged = '__PWRD__';

const isVariable = (text: string) => /^\$\{\S+\}$/.test(text);

/**
 * The settings as a deployed flow has them: what is typed, stored secrets where they were left as they are, and the values
 * of variables in place of their names.
 */
function effectiveSettings(RED: NodeRed, id: string, typed: object) {
  const stored = RED.nodes.getCredentials(id) ?? {};
  const settle = (key: string, value: string) => {
    const text = secretKeys.includes(key) && value === unchanged ? (stored[key] ?? '') : value;
    const node = RED.nodes.getNode(id);
    return isVariable(text) ? RED.util.evaluateNodeProperty(text, 'env', node) : text;
  };
  const pairs = Object.entries(typed).map(([key, value]) => [key, settle(key, String(value))]);
  return pickSettings(Object.fromEntries(pairs));
}

/** What the button beside the settings asks. For those who may change flows, since they can use the secrets anyway. */
export function registerConnectionTest(RED: NodeRed) {
  const test: Handler = (request, response, next) =>
    void testSettings(effectiveSettings(RED, request.params.id ?? '', request.body))
      .then((result) => response.json(result))
      .catch(next);
  const path = `/${definitions.manifest.id}/test-connection/:id`;
  RED.httpAdmin.post(path, RED.auth.needsPermission('flows.write'), test);
}
