import { definitions } from '../../../generated/definitions.ts';
import { within } from '../../async/within.ts';
import type { LimitReached } from '../../settings/spending.ts';
import { storeHash } from '../../store/row-store.ts';
import { type DeliveryLog, identityOf } from './delivery-log.ts';
import { EventDelivery } from './event-delivery.ts';
import type { EventOptions } from './event-options.ts';
import { eventRecord, parametersOf } from './event-record.ts';
import { memoryDeliveryLog } from './stored-delivery-log.ts';
import type { TelephonyEvent } from './telephony-event.ts';

/** How events that the plugin raises reach the app: as received and polled ones do. */
export type RaiseOptions = Pick<EventOptions, 'onEvent' | 'onOutcome'> & {
  deliveryLog?: DeliveryLog | undefined;
};

const timeoutMs = 10_000;

/** The events that the plugin raises when a limit refuses something. */
const ofLimits = definitions.events.filter(({ raisedBy }) => raisedBy === 'limit');

/** Identifies a limit of an account, and the window in which it is reached. */
const limitSid = ({ accountSid, limit, most, until }: LimitReached) =>
  `LR${storeHash(accountSid, limit, String(most), until.toISOString()).slice(0, 32)}`;

/** Delivers the events of a limit that is reached. Never rejects. */
export async function raiseLimitReached(
  reached: LimitReached,
  { onEvent, onOutcome = () => {}, deliveryLog = memoryDeliveryLog() }: RaiseOptions,
): Promise<void> {
  const values = { ...reached, sid: limitSid(reached) };
  for (const definition of ofLimits) {
    const parameters = parametersOf(definition, values, reached.accountSid);
    const record = eventRecord(definition, parameters, new Date());
    const identity = identityOf(definition, record);
    const { id } = definition;
    // The types per id are generated from the definitions that this code reads. No type checker can see that they agree.
    const event = { id, record, parameters: {} } as unknown as TelephonyEvent;
    if (!identity) continue;
    const delivery = new EventDelivery(event, identity, deliveryLog, {
      ...{ onEvent, onOutcome, timeoutMs },
      // A rule ensures that no such event has replies.
      prepareReply: () => '',
    });
    await within(timeoutMs, delivery.run(), () => delivery.timeOut());
  }
}
