import type { EventReply } from '../../../generated/definition-types.ts';
import { definitions } from '../../../generated/definitions.ts';
import type { Replies } from '../../../generated/operations.ts';

/** A reply: one of the forms that the event lists, filled in. */
export type FilledReply = {
  [Id in keyof Replies]: { form: Id; input: Replies[Id] };
}[keyof Replies];

/** What a handler replies: a form that is filled in, or a text, which fills in the first field of the event's first form. */
export type GivenReply = string | FilledReply;

/** Every form of a reply, of all events. */
export const replyForms: readonly EventReply[] = definitions.events.flatMap(
  ({ replies = [] }) => replies,
);

/** Whether what a handler resolved to is a reply; an app may return anything. */
export const isReply = (value: unknown): value is GivenReply =>
  typeof value === 'string'
    ? value.trim() !== ''
    : typeof Object(value).form === 'string' && typeof Object(value).input === 'object';
