import { registerActionMenus } from './action/action-menu.ts';
import { registerActions } from './action/action-models.ts';
import { registerBulkActions } from './bulk/bulk-models.ts';
import { registerInCalendars } from './data-source/calendars.ts';
import { registerDataScope } from './data-source/data-scope.ts';
import { registerInterfaces } from './data-source/field-interfaces.ts';
import { registerFieldModels } from './data-source/field-models.ts';
import { registerPhoneOperator } from './data-source/phone-operator.ts';
import type { Host } from './host.ts';
import { registerSettingsPage } from './settings/settings-page.ts';
import { registerInstructions } from './workflow/instructions.ts';
import { registerTriggers } from './workflow/triggers.ts';

/**
 * Registers every part of the plugin in a NocoBase shell. A part that fails must not break the application.
 *
 * @param others the parts that only one shell has
 */
export function setUp(host: Host, others: ((host: Host) => void)[] = []): void {
  const parts = [
    registerInterfaces,
    registerFieldModels,
    registerDataScope,
    registerPhoneOperator,
    registerInCalendars,
    registerActions,
    registerBulkActions,
    registerActionMenus,
    registerSettingsPage,
    registerInstructions,
    registerTriggers,
    ...others,
  ];
  for (const register of parts) {
    try {
      register(host);
    } catch (error) {
      console.error(error);
    }
  }
}
