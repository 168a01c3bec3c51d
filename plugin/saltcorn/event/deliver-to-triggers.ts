import Crash from '@saltcorn/data/models/crash';
import {
  type EventOptions,
  eventDefinition,
  WaitingReply,
  whenAborted,
} from '../../../src/builder.ts';
import { emitEvent } from './emit-event.ts';
import { eventPath } from './event-path.ts';
import { replyId } from './reply-id.ts';

const ignore = () => {};

/** Notes a sentence for the administrator, in Saltcorn's log. */
export const log = (sentence: string) =>
  void Crash.create(new Error(sentence), { url: eventPath, headers: {} }).catch(ignore);

/**
 * Has the triggers of an event run, and resolves to the reply of one of them.
 *
 * @param canReply whether the service waits for one
 */
export const deliverToTriggers =
  (canReply: boolean): EventOptions['onEvent'] =>
  async (event, context) => {
    const definition = eventDefinition(event.id);
    const waiting =
      canReply && definition.replies
        ? new WaitingReply(replyId(definition, { ...event.record }), context)
        : undefined;
    const emitted = emitEvent(event).then(() => waiting?.end());
    // Saltcorn has the event from the moment it is emitted: slow triggers do not make it come again.
    return waiting ? waiting.given : Promise.race([emitted, whenAborted(context.signal)]);
  };
