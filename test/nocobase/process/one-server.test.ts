import { startTimeoutMs } from '../nocobase-server.ts';
import { type Opened, openNocobase } from '../open-nocobase.ts';
import { limitsSending } from './limits.ts';
import { executesManually } from './manual-executions.ts';
import { sendsNotifications } from './notifications.ts';
import { readsSpellings } from './phone-spellings.ts';

// In one NocoBase, because it takes long to start.

let opened: Opened;

beforeAll(async () => {
  opened = await openNocobase();
}, startTimeoutMs);

// First, because it counts all messages.
describe('limits', () => limitsSending(() => opened));
// Before those that add accounts: its nodes use the first one.
describe('manual executions', () => executesManually(() => opened));
describe('notifications', () => sendsNotifications(() => opened));
describe('spellings of phone numbers', () => readsSpellings(() => opened));
