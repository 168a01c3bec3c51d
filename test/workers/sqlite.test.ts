import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { admin, type SaltcornServer, startSaltcornServer } from '../browser/saltcorn-server.ts';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { packFor } from './pack.ts';
import { Visitor } from './visitor.ts';

describe('two workers on SQLite, which Saltcorn starts on a machine with two processors', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;

  beforeAll(async () => {
    sandbox = await openSandbox();
    const pack = join(temporaryFolder('workers'), 'pack.json');
    writeFileSync(pack, JSON.stringify(packFor('')));
    const { username, password, url: baseUrl } = sandbox;
    saltcorn = await startSaltcornServer({
      plugin: resolve(__dirname, '../../dist/saltcorn'),
      pack,
      configuration: { username, password, baseUrl },
      workers: 2,
      preload: resolve(__dirname, 'name-worker.mjs'),
    });
  });

  test('clicks at the same time are one, through whichever they come', async () => {
    const boss = new Visitor(saltcorn.url);
    const [one, other] = (await boss.workers(2)) as [number, number];
    await boss.post(one, '/auth/login', admin);
    const before = sandbox.messages.length;
    const many = [one, other, one, other, other, one];
    const answers = await Promise.all(
      many.map((worker) => boss.post(worker, '/page/buttons/action/sms', {})),
    );
    expect(new Set(answers.map(({ worker }) => worker)).size).toBe(2);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.text).toContain('SMS queued to +12025550143');
    expect(sandbox.messages).toHaveLength(before + 1);
  });
});
