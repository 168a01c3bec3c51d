import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../demo/ports.ts';
import { saltcorn } from '../../../demo/saltcorn/builder.ts';
import desk from '../../../demo/saltcorn/desk.json';
import { gateTo } from '../../support/gate.ts';
import { needs, skipWithout } from '../../support/needs.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { serveBuilder } from '../../support/serve-builder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

skipWithout(needs.saltcorn);

const login = { email: 'admin@example.com', password: 'Not-a-real-1-password' };

const reminder = {
  ...{ name: 'Remind', action: 'Send SMS', when_trigger: 'Often', min_role: 1 },
  configuration: { to: '+12025550143', body: 'Your table is ready.' },
};

test('the Saltcorn of `npm start` runs scheduled triggers, with a default sender', async () => {
  const { messages, username, password, url } = await openSandbox();
  messages.length = 0;
  const gate = await gateTo(url, (path) => path.endsWith('/Messages.json'));
  const home = temporaryFolder('scheduler');
  const pack = join(home, 'pack.json');
  writeFileSync(pack, JSON.stringify({ ...desk, triggers: [reminder] }));
  const context = {
    ...{ home, login, port: await freePort(), plugin: join(root, 'dist/saltcorn') },
    account: undefined,
    sandboxAccount: { username, password, baseUrl: gate.url, accountSid: '' },
  };
  const args = [...saltcorn.args(context).map(String), '--pack', pack];
  await serveBuilder('saltcorn', args, {
    ADMIN_PASSWORD: login.password,
    ...saltcorn.env(context),
  });
  await gate.holds(1);
  await gate.open();
  const { configuration } = reminder;
  expect(messages).toMatchObject([{ from: '+14155550100', ...configuration }]);
});
