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
