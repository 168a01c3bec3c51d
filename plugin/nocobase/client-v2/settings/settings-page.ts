import { definitions } from '../../../../src/builder.ts';
import { type Host, translator } from '../host.ts';
import { settingsForm } from './settings-form.ts';

/** Adds the plugin's settings page to NocoBase's settings. */
export function registerSettingsPage(host: Host): void {
  const { pluginSettingsManager: settings } = host;
  const { id, name } = definitions.manifest;
  const title = translator(host)(name);
  const Component = settingsForm(host);
  const aclSnippet = `pm.${id}`;
  if (!settings.addMenuItem) {
    settings.add?.(id, { title, icon: 'PhoneOutlined', Component, aclSnippet });
    return;
  }
  settings.addMenuItem({ key: id, title, icon: 'PhoneOutlined', aclSnippet });
  const componentLoader = async () => ({ default: Component });
  settings.addPageTabItem?.({ menuKey: id, key: 'index', title, componentLoader, aclSnippet });
}
