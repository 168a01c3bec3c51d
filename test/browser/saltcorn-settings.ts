import type { Locator } from 'playwright-core';
import type { OpenSaltcorn } from './open-saltcorn.ts';

export interface SaltcornSettings {
  field(label: 'username' | 'password' | 'Base URL'): Locator;
  open(): Promise<void>;
  /** Shows the settings that are folded away. */
  unfold(): Promise<void>;
  fill(values: { username?: string; password?: string; baseUrl?: string }): Promise<void>;
  /** Presses the button beside the settings, and gives what it says. */
  test(kind: 'success' | 'danger'): Promise<string>;
}

/** The page of the module's settings. */
export function settingsIn({ browser: { page }, go, said }: OpenSaltcorn): SaltcornSettings {
  const field = (label: string) => page.getByLabel(label, { exact: true });
  return {
    field,
    open: async () => {
      await go('/plugins/configure/telephony');
    },
    unfold: async () => {
      const folded = page.locator('.accordion-button.collapsed');
      if (await folded.count()) await folded.click();
      await field('Base URL').waitFor();
    },
    fill: async ({ username, password, baseUrl }) => {
      if (username !== undefined) await field('username').fill(username);
      if (password !== undefined) await field('password').fill(password);
      if (baseUrl !== undefined) await field('Base URL').fill(baseUrl);
    },
    test: async (kind) => {
      await page.getByText('Test connection').click();
      return said(kind);
    },
  };
}
