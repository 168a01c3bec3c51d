import type { HttpHelpers, Values } from 'n8n-workflow';
import { testCredential } from '../../../plugin/n8n/settings/test-credential.ts';
import { fetchHttp } from '../../faults/fetch-http.ts';
import { acceptedBy } from '../../support/accepted-by.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { serveHttp } from '../../support/serve-http.ts';

/** n8n gives the test of a credential this helper only. */
const helpers = {
  async request({ url, method, headers: sent, body: data, abortSignal: signal }) {
    const {
      status: statusCode,
      headers,
      body,
    } = await fetchHttp({
      ...{ url, method, headers: sent, body: data, signal },
    });
    return { statusCode, headers, body };
  },
} as { request(options: Parameters<typeof fetchHttp>[0] & { abortSignal: AbortSignal }): unknown };

const run = (data: Values) =>
  testCredential.call({ helpers: helpers as unknown as HttpHelpers }, { data });

async function openSettings() {
  const { username, password, url: baseUrl } = await openSandbox();
  return { username, password, baseUrl };
}

test('accepts a credential that the service accepts', async () => {
  const settings = await openSettings();
  const message = acceptedBy({ ...settings, url: settings.baseUrl });
  expect(await run(settings)).toEqual({ status: 'OK', message });
});

test.each([
  ['the password is wrong', { password: 'wrong' }, /^The service rejected the credentials\./],
  ['there is no username', { username: '' }, /username/],
  ['the base URL is no URL', { baseUrl: 'sandbox' }, /Base URL/],
])('shows the reason if %s', async (_, typed, message) => {
  const data = { ...(await openSettings()), ...typed };
  expect(await run(data)).toEqual({
    status: 'Error',
    message: expect.stringMatching(message),
  });
});

test('shows no status text of the service', async () => {
  const { url: baseUrl } = await serveHttp((_, response) =>
    response.writeHead(500, 'Secret-reason').end(),
  );
  const { status, message } = await run({ ...(await openSettings()), baseUrl });
  expect(status).toBe('Error');
  expect(message).not.toContain('Secret-reason');
});
