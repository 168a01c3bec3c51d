import { definitions, testSettings } from '../../../src/index.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import type { Handler, NodeRed } from '../node-red.ts';

/** What the button beside the settings asks. For those who may change flows, since they can use the secrets anyway. */
export function registerConnectionTest(RED: NodeRed) {
  const test: Handler = (request, response, next) =>
    void testSettings(effectiveSettings(RED, request.params.id ?? '', request.body))
      .then((result) => response.json(result))
      .catch(next);
  const path = `/${definitions.manifest.id}/test-connection/:id`;
  RED.httpAdmin.post(path, RED.auth.needsPermission('flows.write'), test);
}
