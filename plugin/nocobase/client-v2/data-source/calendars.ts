import { fieldTypes } from '../../../../src/builder.ts';
import { interfaces } from '../../interfaces.ts';
import type { Host } from '../host.ts';

/** NocoBase's plugin for calendars. */
interface Calendars {
  registerTitleFieldInterface(name: string): void;
  registerColorFieldInterface(name: string, colours: unknown): void;
  getColorFieldInterface(name: string): unknown;
}

/**
 * Offers texts as titles of the events in NocoBase's calendars, and choices with their colours, if its calendar plugin is
 * enabled. It offers dates without this.
 */
export function registerInCalendars(host: Host): void {
  const calendars = host.pm.get('calendar') as Calendars | undefined;
  if (!calendars) return;
  const colours = calendars.getColorFieldInterface('select');
  for (const { name, type } of interfaces) {
    if (fieldTypes[type].holds === 'text') calendars.registerTitleFieldInterface(name);
    if (type === 'choice') calendars.registerColorFieldInterface(name, colours);
  }
}
