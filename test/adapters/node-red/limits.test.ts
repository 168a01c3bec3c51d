import { settingsPage } from '../../../plugin/node-red/settings/settings-page.ts';
import { definitions } from '../../../src/builder.ts';

// The limits in the dialog of the account.

test('the dialog has an input for each limit', () => {
  const missing = definitions.settings.limits.filter(
    ({ key }) => !settingsPage.dialog.includes(`id="node-config-input-${key}"`),
  );
  expect(missing).toEqual([]);
});

test('a choice shows its first option while it has no value', () => {
  const [, select = ''] =
    /<select id="node-config-input-inQuietHours"[^>]*>(.*?)<\/select>/s.exec(settingsPage.dialog) ??
    [];
  const options = [...select.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)<\/option>/g)];
  expect(options.map(([, value, label]) => [value, label])).toEqual([
    ['', 'Refuse'],
    ['send-later', 'Send when they end'],
  ]);
});
