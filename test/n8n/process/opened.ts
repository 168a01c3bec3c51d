import type { Service } from '../../promises/service.ts';
import type { startN8n } from '../n8n-server.ts';

/** An n8n, and the service of its credential. */
export interface Opened {
  service: Service;
  n8n: Awaited<ReturnType<typeof startN8n>>;
}
