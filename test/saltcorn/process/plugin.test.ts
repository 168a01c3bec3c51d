import { saltcorn, startSaltcorn, state } from '../host.ts';
import { startWebsite } from '../website.ts';

beforeAll(() => startSaltcorn());

test("the plugin passes Saltcorn's own plugin test", async () => {
  const { auto_test_plugin } = saltcorn('data/plugin-testing');
  // It expects an object of field views, although Saltcorn itself calls a function.
  const { fieldviews: _, ...plugin } = state().plugins.telephony;
  await expect(auto_test_plugin(plugin)).resolves.toBeUndefined();
});

test("Saltcorn's page about the module lists its types and functions", async () => {
  const boss = await (await startWebsite()).user();
  const page = await boss.get('/plugins/info/telephony');
  for (const name of ['Sound', 'Picture', 'escapeHtml()']) expect(page).toContain(name);
});
