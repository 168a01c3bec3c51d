import { artefact } from '../host.ts';
import { admin, startSaltcornServer } from '../saltcorn-server.ts';
import { Visitor } from '../website.ts';

test('a new field starts as a text, also after a restart of the demo', async () => {
  const server = await startSaltcornServer({ plugin: artefact });
  const types = async () => {
    const boss = await new Visitor(server.url).logIn(admin.email, admin.password);
    const [, select = ''] =
      /<select[^>]*name="type"[^>]*>(.*?)<\/select>/s.exec(await boss.get('/field/new/1')) ?? [];
    return [...select.matchAll(/<option value="([^"]*)"/g)].map(([, type]) => type);
  };
  const before = await types();
  expect(before[0]).toBe('String');
  await server.restart('SIGTERM');
  expect((await types()).slice(0, 3)).toEqual(before.slice(0, 3));
});
