import { replyPage } from '../../../plugin/node-red/editor/reply-page.ts';
import { replyForms } from '../../../src/builder.ts';

const editor = { validInput: () => undefined };

/** The values that the editor gives to a new node. */
function valuesOf(definition: string): [property: string, value: unknown][] {
  const { defaults } = new Function('telephonyNodes', `return ${definition}`)(editor);
  return Object.entries<{ value: unknown }>(defaults).map(([key, { value }]) => [key, value]);
}

// The incoming payload is the event's record, which no reply can contain.
test.each(replyForms.map((reply) => [reply.name, reply] as const))(
  'a new node of %s is empty, and its inputs are typed',
  (_, reply) => {
    const values = valuesOf(replyPage(reply).definition);
    const types = values.filter(([key]) => key.startsWith('typeOf'));
    expect(types.map(([, type]) => type)).not.toContain('msg');
    expect(values.filter(([, value]) => value === '')).toHaveLength(1 + types.length);
  },
);
