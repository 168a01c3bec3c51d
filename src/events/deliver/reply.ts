import type { EventReply } from '../../../generated/definition-types.ts';
import { definitions } from '../../../generated/definitions.ts';
import type { Replies } from '../../../generated/operations.ts';
import { isObject } from '../../text/json.ts';

/** A reply: one of the forms that the event lists, filled in. */
export type FilledReply = {
  [Id in keyof Replies]: { form: Id; input: Replies[Id] };
}[keyof Replies];

/** The reply of a handler: a form that is filled in, or a text for the first field of the event's first form. */
export type GivenReply = string | FilledReply;

/** The forms of the replies of all events. */
export const replyForms: readonly EventReply[] = definitions.events.flatMap(
  ({ replies = [] }) => replies,
);

/** Whether a handler returned a reply, because an app may return anything. */
export const isReply = (value: unknown): value is GivenReply =>
  typeof value === 'string'
    ? value.trim() !== ''
    : typeof Object(value).form === 'string' && isObject(Object(value).input);

/** Whether a handler returned something that looks like a reply and is none, such as a number or a form without its input. */
export const isFaultyReply = (value: unknown): boolean =>
  !isReply(value) &&
  (typeof value === 'number' ||
    typeof value === 'bigint' ||
    ['form', 'input'].some((key) => Object.hasOwn(Object(value), key)));
