import type { Action } from '../../../../src/builder.ts';
import { channelActions, channelType } from '../../channel-types.ts';
import { translated } from '../../translated.ts';
import { type Host, h } from '../host.ts';
import { accountItem } from '../workflow/account-item.ts';
import { inputItems, type Path } from '../workflow/input-items.ts';

interface Notifications {
  registerChannelType(type: { type: string; title: string; components: object }): void;
}

/** The forms of a channel's settings, and of a notification. */
const formsOf = (host: Host, action: Action) => ({
  ChannelConfigFormLoader: async () => {
    const account = await accountItem(host, ['options', 'account']);
    return { default: () => account };
  },
  MessageConfigFormLoader: async () => {
    const items = await inputItems(host, action.fields, action);
    return {
      default: ({ namePrefix = [] }: { namePrefix?: Path }) =>
        h('div', null, items([...namePrefix, 'input'])),
    };
  },
});

/** Registers a notification channel for each action with a recipient, if NocoBase's notification manager is enabled. */
export function registerChannels(host: Host): void {
  const notifications = host.pm.get('notification-manager') as Notifications | undefined;
  for (const { action } of channelActions)
    notifications?.registerChannelType({
      type: channelType(action),
      title: translated(action.name),
      components: formsOf(host, action),
    });
}
