import { definitions } from '../../../src/builder.ts';
import { settingsPage } from '../settings/settings-page.ts';
import { batchPage } from './batch-page.ts';
import { eventPage } from './event-page.ts';
import type { NodePage } from './html.ts';
import { actionPage } from './operation-page.ts';
import { readPage } from './read-page.ts';
import { replyPage } from './reply-page.ts';

/** The editor pages of all node types. */
export const pages: NodePage[] = [
  settingsPage,
  ...definitions.actions.map(actionPage),
  batchPage,
  readPage,
  ...definitions.events.map(eventPage),
  replyPage,
];
