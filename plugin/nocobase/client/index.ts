import { Plugin } from '@nocobase/client';
import { setUp } from '../client-v2/set-up.ts';

/** The part of the plugin that NocoBase's legacy shell runs. */
export default class TelephonyPlugin extends Plugin {
  override async load() {
    setUp(this.app);
  }
}
