import {
  connect,
  definitions,
  secretKeys,
  settingsWithStoredSecrets,
  type Telephony,
  TelephonyError,
} from '../../../src/index.ts';
import { accountType } from '../node/node-type.ts';
import { editorId, type FlowConfig, type FlowNode, type NodeRed } from '../node-red.ts';
import { bindSecrets, storedSecrets } from './stored-secrets.ts';

/** The configuration node. */
export interface AccountNode extends FlowNode {
  /**
   * Connects when first asked to. Throws, before anything is sent, when the settings are not complete, and when a secret is
   * stored for another host.
   */
  telephony(): Telephony;
  /** Whom messages come from where a node does not say so; empty when nobody does. */
  defaultSender: string;
  /** Whether sounds can be heard by everyone who sees the pages of flows. */
  givesOutMedia: boolean;
}

// By the ids that they have in the editor: within a subflow there is one for each of its uses.
const running = new Map<string, Set<FlowNode>>();

/** The configuration node that runs of one in the editor, the first one if there are more. */
export const runningAccount = (id: string): FlowNode | undefined =>
  running.get(id)?.values().next().value;

function keepRunning(node: FlowNode) {
  const id = editorId(node);
  const nodes = running.get(id) ?? new Set();
  running.set(id, nodes.add(node));
  node.on('close', (_removed, done) => {
    nodes.delete(node);
    done();
  });
}

/** Registers the configuration node. */
export function registerAccount(RED: NodeRed) {
  function construct(this: FlowNode, config: FlowConfig) {
    RED.nodes.createNode(this, config);
    bindSecrets(RED, this, config);
    let telephony: Telephony | undefined;
    const own: Omit<AccountNode, keyof FlowNode> = {
      telephony: () => {
        const stored = storedSecrets(this.credentials ?? {}, config);
        telephony ??= connect(settingsWithStoredSecrets(config, stored));
        return telephony;
      },
      defaultSender: String(config.defaultSender ?? '').trim(),
      givesOutMedia: config.media === true,
    };
    Object.assign(this, own);
    keepRunning(this);
  }
  // Node-RED encrypts these, and no exported flow holds them.
  const credentials = Object.fromEntries(
    secretKeys.map((key) => [key, { type: 'password' as const }]),
  );
  RED.nodes.registerType(accountType, construct, { credentials });
}

/**
 * The configuration node of an id.
 *
 * @throws {TelephonyError} when there is none
 */
export function accountOf(RED: NodeRed, id: unknown): AccountNode {
  const node = typeof id === 'string' && RED.nodes.getNode(id);
  if (node && 'telephony' in node) return node as AccountNode;
  throw new TelephonyError(
    'settings',
    `Choose an “${definitions.settings.name}” in the settings of the node first.`,
  );
}
