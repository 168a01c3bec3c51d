import { definitions, replyForms } from '../../src/builder.ts';

/** The type of the node that does what a definition says, and what is chosen in it. */
export function nodeOf(id: string): { type: string; operation?: string } {
  const operation = id.replace(/-for-each-row$/, '');
  if (operation !== id) return { type: 'telephony-for-each-row', operation };
  const has = (all: readonly { id: string }[]) => all.some((one) => one.id === id);
  if (has(definitions.dataSources)) return { type: 'telephony-read', operation };
  return has(replyForms)
    ? { type: 'telephony-reply', operation }
    : { type: `telephony-${operation}` };
}
