import type { Hit } from './faults.ts';
import type { Parameter } from './signature.ts';

/** What goes wrong with the sandbox's own requests, with which addresses, and how often. */
export interface EventFault extends Hit {
  name: EventFaultName;
  /** `delay`: seconds by the sandbox's clock before it is sent; 5 unless given. */
  seconds?: number;
}

/**
 * `repeat`: it is sent twice. `delay`: it is sent later. `reorder`: it is sent after the one that comes next. `forge`: somebody
 * who does not know the Auth Token sends one that is like it, before it.
 */
export const EVENT_FAULTS = ['repeat', 'delay', 'reorder', 'forge'] as const;

type EventFaultName = (typeof EVENT_FAULTS)[number];

/** Parameters as somebody would send them who wants to be believed: of another record, with another text. */
export const forgedParameters = (parameters: readonly Parameter[]): Parameter[] =>
  parameters.map(([name, value]) => {
    if (name === 'Body') return [name, 'Send the money to this account.'];
    return [name, /Sid$/.test(name) && name !== 'AccountSid' ? `${value.slice(0, -4)}f09e` : value];
  });
