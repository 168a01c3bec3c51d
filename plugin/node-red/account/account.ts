import {
  addressBelow,
  connect,
  definitions,
  eventLog,
  eventReader,
  pollIntervalMs,
  raiseLimitReached,
  secretKeys,
  sentence,
  settingsWithStoredSecrets,
  type Telephony,
  TelephonyError,
  type TelephonySettings,
  type WebhookOptions,
} from '../../../src/builder.ts';
import { storeOf } from '../event/account-store.ts';
import { deliverToFlows } from '../event/deliver-to-flows.ts';
import { deliveryLogOf } from '../event/delivery-log.ts';
import { eventPath } from '../event/event-path.ts';
import { accountType } from '../node/node-type.ts';
import { editorId, type FlowConfig, type FlowNode, type NodeRed } from '../node-red.ts';
import { defaultSenderField } from '../settings/default-sender.ts';
import {
  authTokenField,
  pollField,
  publicAddressField,
  reportField,
} from '../settings/event-settings.ts';
import { storedProperties } from '../stored-properties.ts';
import { bindSecrets, bindSecretsOfOthers, storedSecrets } from './stored-secrets.ts';
import { limitsOf, settingOf, settingsOf } from './variables.ts';

/** The configuration node. */
export interface AccountNode extends FlowNode {
  /** Throws if a secret was stored for another host. */
  settings(): TelephonySettings;
  /**
   * Connects on first use. Throws, before anything is sent, if the settings are incomplete or a secret was stored for
   * another host.
   */
  telephony(): Telephony;
  /**
   * The webhook URL and the Auth Token that signs webhooks; undefined without a public URL. Throws if a variable isn't
   * set: otherwise its name, which is public, would serve as the key.
   */
  webhook(): WebhookOptions | undefined;
  /** The poll interval in milliseconds; 0 if polling is off. Throws if it is out of range. */
  pollIntervalMs(): number;
  /** The default sender; empty if there is none. Throws if its variable isn't set. */
  defaultSender(): string;
  /** Whether sending is stopped. */
  isStopped(): unknown;
  /** Whether everyone who can open the pages of flows can open audio and pictures. */
  servesMedia: boolean;
}

// The running nodes by id. A subflow has one per use, whose id stays the same after a restart.
const running = new Map<string, AccountNode>();

/** The running account of an editor id (within subflows, the first one), or with this id itself. */
export const runningAccount = (id: string): AccountNode | undefined =>
  running.get(id) ?? [...running.values()].find((node) => editorId(node) === id);

/** The ids of the running accounts. */
export const runningAccounts = (): string[] => [...running.keys()];

function keepRunning(node: AccountNode) {
  running.set(node.id, node);
  node.on('close', (_removed, done) => {
    if (running.get(node.id) === node) running.delete(node.id);
    done();
  });
}

const textOf = (value: unknown) => String(value ?? '').trim();

/** Registers the configuration node. */
export function registerAccount(RED: NodeRed) {
  function construct(this: FlowNode, config: FlowConfig) {
    RED.nodes.createNode(this, config);
    const typed = storedProperties(RED, editorId(this)) ?? config;
    bindSecrets(RED, typed, this);
    let telephony: Telephony | undefined;
    const settings = () =>
      settingsWithStoredSecrets(
        settingsOf(RED, this, config),
        // Variables in this node's own credentials are already replaced, even one that the account no longer uses.
        storedSecrets(RED, this, RED.nodes.getCredentials(typed.id) ?? {}, typed),
      );
    const setting = (field: { key: string; label: string }, typed: unknown) =>
      textOf(settingOf(RED, this, field, textOf(typed)));
    const webhook = (): WebhookOptions | undefined => {
      const publicAddress = setting(publicAddressField, config[publicAddressField.key]);
      if (!publicAddress) return undefined;
      return {
        url: addressBelow(publicAddress, `${eventPath}/${this.id}`),
        authToken: setting(authTokenField, this.credentials?.[authTokenField.key]),
      };
    };
    const statusCallback = () => {
      if (config[reportField.key] !== true) return undefined;
      try {
        const own = webhook() ?? { url: '' };
        eventReader(settings(), own);
        return own.url;
      } catch (error) {
        const { message } = error as Error;
        this.warn(`Status reports are off: ${message}`);
        return undefined;
      }
    };
    const own: Omit<AccountNode, keyof FlowNode> = {
      settings,
      telephony: () => {
        telephony ??= connect({
          ...settings(),
          statusCallback: statusCallback(),
          spending: {
            ...limitsOf(RED, this, config),
            // What runs since before a deploy asks the account of after it.
            stopped: () => (running.get(this.id) ?? own).isStopped(),
          },
          onLimitReached: (reached) =>
            raiseLimitReached(reached, {
              deliveryLog: deliveryLogOf(this.id, RED),
              onEvent: (event, options) => deliverToFlows(RED, this.id, event, options),
              onOutcome: eventLog((sentence) => this.warn(sentence)),
            }),
          store: storeOf(this.id, RED),
        });
        return telephony;
      },
      webhook,
      pollIntervalMs: () => pollIntervalMs(config[pollField.key]),
      defaultSender: () => setting(defaultSenderField, config[defaultSenderField.key]),
      // A flow of an earlier version has no such property.
      isStopped: () => (config.stopped ?? '') !== '' && config.stopped,
      servesMedia: config.media === true,
    };
    keepRunning(Object.assign(this, own));
  }
  // Node-RED encrypts credentials and leaves them out of exported flows.
  const credentials = Object.fromEntries(
    [...secretKeys, authTokenField.key].map((key) => [key, { type: 'password' as const }]),
  );
  RED.nodes.registerType(accountType, construct, { credentials });
  RED.events.on('flows:started', () =>
    bindSecretsOfOthers(RED, (id) => runningAccount(id) !== undefined),
  );
}

/**
 * Returns the configuration node with this id.
 *
 * @throws {TelephonyError} if there is none
 */
export function accountOf(RED: NodeRed, id: unknown): AccountNode {
  const node = typeof id === 'string' && RED.nodes.getNode(id);
  if (node && 'telephony' in node) return node as AccountNode;
  throw new TelephonyError(
    'settings',
    sentence('Choose an “{name}” in the node first.', {
      name: { text: definitions.settings.name },
    }),
  );
}
