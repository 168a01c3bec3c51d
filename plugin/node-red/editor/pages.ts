import { batchActions, definitions, operations, replyForms } from '../../../src/builder.ts';
import { settingsPage } from '../settings/settings-page.ts';
import { batchPage } from './batch-page.ts';
import { eventPage } from './event-page.ts';
import type { NodePage } from './html.ts';
import { operationPage } from './operation-page.ts';
import { replyPage } from './reply-page.ts';

/** The editor pages of all node types. */
export const pages: NodePage[] = [
  settingsPage,
  ...operations.map(operationPage),
  ...batchActions.map(batchPage),
  ...definitions.events.map(eventPage),
  ...replyForms.map(replyPage),
];
