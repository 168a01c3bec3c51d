import { host } from '../ports.ts';

/**
 * Settings of an n8n on loopback, without requests to the internet.
 *
 * @param home the folder with its data
 * @param port its port
 * @param brokerPort the port of its task broker: one of its own, so that two can start at once
 */
export const environment = (home: string, port: string, brokerPort: number) => ({
  N8N_USER_FOLDER: home,
  N8N_LISTEN_ADDRESS: host,
  N8N_PORT: port,
  N8N_RUNNERS_BROKER_PORT: String(brokerPort),
  WEBHOOK_URL: `http://${host}:${port}/`,
  N8N_SECURE_COOKIE: 'false',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_DISABLED_MODULES: 'mcp-registry',
});
