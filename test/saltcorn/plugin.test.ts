import { saltcorn, startSaltcorn, state } from './host.ts';

beforeAll(() => startSaltcorn());

test("it passes Saltcorn's own test of a plugin", async () => {
  const { auto_test_plugin } = saltcorn('data/plugin-testing');
  // It wants field views to be an object, where Saltcorn itself calls them as a function.
  const { fieldviews: _, ...plugin } = state().plugins.telephony;
  await expect(auto_test_plugin(plugin)).resolves.toBeUndefined();
});
