import { readPage } from '../../../plugin/node-red/editor/read-page.ts';
import { replyPage } from '../../../plugin/node-red/editor/reply-page.ts';

const editor = { validInputOf: () => undefined };

/** The values that the editor gives to a new node. */
function valuesOf(definition: string): [property: string, value: unknown][] {
  const { defaults } = new Function('telephonyNodes', `return ${definition}`)(editor);
  return Object.entries<{ value: unknown }>(defaults).map(([key, { value }]) => [key, value]);
}

// The incoming payload is the event's record, which no reply can contain, and what a list is read with is up to its user.
test.each([replyPage, readPage].map((page) => [page.type, page.definition]))(
  'the inputs of a new %s are empty and typed',
  (_, definition) => {
    const values = valuesOf(definition).filter(([key]) => /^(input|typeOf)/.test(key));
    const types = values.filter(([key]) => key.startsWith('typeOf'));
    expect(types.map(([, type]) => type)).not.toContain('msg');
    expect(values.filter(([, value]) => value === '')).toHaveLength(types.length);
  },
);
