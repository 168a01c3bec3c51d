import Crash from '@saltcorn/data/models/crash';
import {
  type EventOptions,
  eventDefinition,
  WaitingReply,
  whenAborted,
} from '../../../src/builder.ts';
import { noteDelivery } from '../bulk/note-delivery.ts';
import { emitEvent } from './emit-event.ts';
import { eventPath } from './event-path.ts';
import { replyId } from './reply-id.ts';

const ignore = () => {};

/** Writes a sentence for administrators to Saltcorn's crash log. */
export const log = (sentence: string) =>
  void Crash.create(new Error(sentence), { url: eventPath, headers: {} }).catch(ignore);

/** Runs the triggers of an event, and resolves to the reply of one of them. */
export const deliverToTriggers: EventOptions['onEvent'] = async (event, context) => {
  const definition = eventDefinition(event.id);
  const waiting =
    definition.replies && new WaitingReply(replyId(definition, { ...event.record }), context);
  await noteDelivery(event).catch((error) => log(error.message));
  const emitted = emitEvent(event).then(() => waiting?.end());
  // Saltcorn has received the event once it is emitted: slow triggers must not cause a second delivery.
  return waiting ? waiting.given : Promise.race([emitted, whenAborted(context.signal)]);
};
