import type { Typed } from '../promises/app.ts';
import type { OpenSaltcorn } from './open-saltcorn.ts';

export type SaltcornSettings = ReturnType<typeof settingsIn>;

/** The page of the module's settings. */
export function settingsIn({ browser: { page }, go, toastText }: OpenSaltcorn) {
  const field = (label: 'username' | 'password' | 'Base URL') =>
    page.getByLabel(label, { exact: true });
  return {
    field,
    open: () => go('/plugins/configure/telephony'),
    /** Opens the collapsed settings. */
    unfold: async () => {
      const folded = page.locator('.accordion-button.collapsed', { hasText: 'Advanced' });
      if (await folded.count()) await folded.click();
      await field('Base URL').waitFor();
    },
    fill: async (values: Typed & { username?: string }) => {
      const { username, password, baseUrl, perRecipientPerHour, stopped } = values;
      if (username !== undefined) await field('username').fill(username);
      if (password !== undefined) await field('password').fill(password);
      if (baseUrl !== undefined) await field('Base URL').fill(baseUrl);
      if (perRecipientPerHour === undefined && stopped === undefined) return;
      const folded = page.locator('.accordion-button.collapsed', { hasText: 'Limits' });
      if (await folded.count()) await folded.click();
      await page.getByLabel('Messages per recipient').fill(perRecipientPerHour ?? '');
      await page.getByLabel('Stop sending').setChecked(stopped ?? false);
    },
    /** Presses the button next to the settings, and returns its toast. */
    test: async (kind: 'success' | 'danger') => {
      await page.getByText('Test connection').click();
      return toastText(kind);
    },
  };
}
