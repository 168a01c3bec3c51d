import { definitions, pickSettings, testSettings } from '../../src/index.ts';
import { secretKeys } from './account-node.ts';
import type { Handler, NodeRed } from './node-red.ts';

/** What the editor shows in place of a stored secret. */
const unchanged = '__PWRD__';

/** The typed settings, with the stored secrets where they were left as they are. */
function effectiveSettings(RED: NodeRed, id: string, typed: object) {
  const values = new Map(Object.entries(typed));
  const stored = RED.nodes.getCredentials(id) ?? {};
  for (const key of secretKeys) if (values.get(key) === unchanged) values.set(key, stored[key]);
  return pickSettings(Object.fromEntries(values));
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
