import { Plugin } from '@nocobase/client-v2';
import { registerChannels } from './notification/channels.ts';
import { setUp } from './set-up.ts';
import { registerCodeProviders } from './verification/code-providers.ts';

/** The part of the plugin that NocoBase's modern shell runs. */
export default class TelephonyPlugin extends Plugin {
  override async load() {
    setUp(this.app, [registerChannels, registerCodeProviders]);
  }
}
