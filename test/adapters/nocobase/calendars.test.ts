import { registerInCalendars } from '../../../plugin/nocobase/client-v2/data-source/calendars.ts';
import type { Host } from '../../../plugin/nocobase/client-v2/host.ts';
import { fieldTypes } from '../../../src/builder.ts';

const hostWith = (plugins: Record<string, unknown>) =>
  ({ pm: { get: (name: string) => plugins[name] } }) as unknown as Host;

/** NocoBase's calendar plugin. */
function calendar() {
  const titles: string[] = [];
  const colours = new Map<string, unknown>([['select', { useGetColor: () => 'red' }]]);
  return {
    titles,
    colours,
    registerTitleFieldInterface: (name: string) => titles.push(name),
    registerColorFieldInterface: (name: string, own: unknown) => colours.set(name, own),
    getColorFieldInterface: (name: string) => colours.get(name),
  };
}

test('calendars offer texts as titles, and choices with the colours of a select', () => {
  const { titles, colours, ...plugin } = calendar();
  registerInCalendars(hostWith({ calendar: plugin }));
  const texts = Object.entries(fieldTypes).filter(([, { holds }]) => holds === 'text');
  const names = texts.flatMap(([name]) => [`telephony-${name}-filter`, `telephony-${name}`]);
  expect(titles.sort()).toEqual(names.sort());
  expect([...colours]).toEqual(
    ['select', 'telephony-choice-filter', 'telephony-choice'].map((name) => [
      name,
      colours.get('select'),
    ]),
  );
});

test('without the calendar plugin, nothing happens', () => {
  expect(() => registerInCalendars(hostWith({}))).not.toThrow();
});
