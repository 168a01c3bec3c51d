import { eventPage } from '../../../plugin/node-red/editor/event-page.ts';
import { definitions } from '../../../src/builder.ts';

/** The values that the editor gives to a new node. */
function defaultsOf(definition: string): Record<string, { value: unknown }> {
  const { defaults } = new Function(`return ${definition}`)();
  return defaults;
}

test.each<[id: string, waits: boolean | undefined]>([
  ['sms-received', false],
  ['call-received', true],
  ['message-status', undefined],
])('a new node of %s waits for a reply: %s', (id, waits) => {
  const [event] = definitions.events.filter((one) => one.id === id).map(eventPage);
  expect(defaultsOf(event?.definition ?? '').replies?.value).toBe(waits);
});

test.each(definitions.events.map((event) => [event.id, event] as const))(
  'the page of %s mentions Reply nodes only if the event has some',
  (_, event) => {
    const { definition, dialog, help } = eventPage(event);
    const hasReplies = event.replies !== undefined;
    expect(definition.includes('replies')).toBe(hasReplies);
    for (const text of [dialog, help((text) => text)])
      expect(text.includes('Reply node')).toBe(hasReplies);
  },
);
