import { sandboxFor } from './client.ts';

const values = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, value = '']) => value);

test('the page at the root shows the credentials, and what its forms send and its links open exists', async () => {
  const sandbox = await sandboxFor({ basePath: '/api/laml' });
  const response = await fetch(sandbox.origin);
  const page = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  expect(values(page, /<code>(.*?)<\/code>/g)).toEqual([
    sandbox.url,
    sandbox.username,
    sandbox.password,
  ]);

  const links = values(page, /href="(.*?)"/g);
  const opened = await Promise.all(links.map((link) => fetch(sandbox.origin + link)));
  expect(opened.map(({ status }) => status)).toEqual(links.map(() => 200));

  const forms = values(page, /(<form.*?<\/form>)/gs);
  const sent = forms.map(async (form) => {
    const [action] = values(form, /action="(.*?)"/g);
    const names = values(form, /name="(.*?)"/g);
    const typed = values(
      form,
      /(?:<input[^>]* value="|<select[^>]*><option(?: value="|>))([^"<]*)/g,
    );
    const body = JSON.stringify(Object.fromEntries(names.map((name, at) => [name, typed[at]])));
    const headers = { 'content-type': 'application/json' };
    return (await fetch(sandbox.origin + action, { method: 'POST', headers, body })).status;
  });
  expect(await Promise.all(sent)).toEqual([201, 201]);
  const parties = { from: '+12025550143', to: '+14155550100', direction: 'inbound' };
  expect(sandbox.messages[0]).toMatchObject({ ...parties, body: 'Are you open?' });
  expect(sandbox.calls[0]).toMatchObject({ ...parties, status: 'ringing' });
});
