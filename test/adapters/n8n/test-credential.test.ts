import { testCredential } from '../../../plugin/n8n/settings/test-credential.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { serveHttp } from '../../support/serve-http.ts';

const works = { status: 'OK', message: 'The service accepts the username and the password.' };

async function openSettings() {
  const { username, password, url: baseUrl } = await openSandbox();
  return { username, password, baseUrl };
}

test('accepts a credential that the service accepts', async () => {
  expect(await testCredential({ data: await openSettings() })).toEqual(works);
});

test.each([
  ['the password is wrong', { password: 'wrong' }, /^The service rejected the credentials\./],
  ['there is no username', { username: '' }, /username/],
  ['the base URL is no URL', { baseUrl: 'sandbox' }, /Base URL/],
])('shows the reason if %s', async (_, typed, message) => {
  const data = { ...(await openSettings()), ...typed };
  expect(await testCredential({ data })).toEqual({
    status: 'Error',
    message: expect.stringMatching(message),
  });
});

test('shows no status text of the service', async () => {
  const { url: baseUrl } = await serveHttp((_, response) =>
    response.writeHead(500, 'Secret-reason').end(),
  );
  const { status, message } = await testCredential({
    data: { ...(await openSettings()), baseUrl },
  });
  expect(status).toBe('Error');
  expect(message).not.toContain('Secret-reason');
});
