import type { Hit } from './faults.ts';
import type { Parameter } from './signature.ts';

/** A fault of webhooks: which one, at which URLs, and how often. */
export interface EventFault extends Hit {
  name: EventFaultName;
  /** `delay`: seconds of the sandbox's clock before the webhook is sent; 5 by default. */
  seconds?: number;
}

/**
 * `repeat`: the webhook is sent twice. `delay`: it is sent later. `reorder`: it is sent after the next one. `forge`: an attacker
 * without the Auth Token sends a similar one before it.
 */
export const EVENT_FAULTS = ['repeat', 'delay', 'reorder', 'forge'] as const;

type EventFaultName = (typeof EVENT_FAULTS)[number];

/** Forged parameters: of another record, with another text. */
export const forgedParameters = (parameters: readonly Parameter[]): Parameter[] =>
  parameters.map(([name, value]) => {
    if (name === 'Body') return [name, 'Send the money to this account.'];
    return [name, /Sid$/.test(name) && name !== 'AccountSid' ? `${value.slice(0, -4)}f09e` : value];
  });
