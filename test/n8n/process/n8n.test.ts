import { openService } from '../../promises/service.ts';
import { buildCopyWithNewOperations } from '../../support/copy-with-new-operations.ts';
import { startN8n } from '../n8n-server.ts';
import { sendsOnce } from './attempts.ts';
import { deliversEvents } from './events.ts';
import { offersNewOperations } from './new-operations.ts';
import type { Opened } from './opened.ts';

// In one n8n, because it takes long to start: a package with two more operations.

let opened: Opened;

beforeAll(async () => {
  const copy = buildCopyWithNewOperations('n8n');
  const service = await openService();
  const settings = { ...service.settings, contentUrl: service.settings.baseUrl };
  opened = { service, n8n: await startN8n(settings, copy.path('dist/n8n')) };
});

describe('new operations', () => offersNewOperations(() => opened));
describe('repeated attempts', () => sendsOnce(() => opened));
// Last, because its workflows poll all the time.
describe('events', () => deliversEvents(() => opened));
