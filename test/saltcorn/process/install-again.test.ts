import { readDocument } from '../../support/document.ts';
import { artefact, type Host, installPlugin, model, saltcorn, startSaltcorn } from '../host.ts';

let host: Host;
beforeAll(async () => {
  // A Saltcorn of its own: the module can't be loaded again in it.
  host = await startSaltcorn(artefact, {});
});

test('the module can be removed, and installing it again before a restart fails as the page says', async () => {
  const page = readDocument('docs/builders/saltcorn.md');
  const [, message = ''] = /restart Saltcorn: .* fails with “(.+)”/.exec(page) ?? [];
  expect(message).not.toBe('');
  const plugin = await model('plugin').findOne({ name: 'telephony' });
  // Like the button “Remove”.
  await plugin.delete();
  const Installer = saltcorn('plugins-loader/plugin_installer');
  await new Installer(plugin).remove();
  expect(await model('plugin').findOne({ name: 'telephony' })).toBeFalsy();
  await expect(installPlugin(artefact, host.settings)).rejects.toThrow(message);
});
