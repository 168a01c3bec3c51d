import type { FlowContext } from '@nocobase/flow-engine';
import type { Action } from '../../../../src/builder.ts';
import { clickFlow, clickStep } from '../../button-models.ts';
import { type Host, request } from '../host.ts';
import { accountOf } from './action-step.ts';
import { isUsable, type Usable, usableRequest } from './usable.ts';

const known = new WeakMap<Host, Promise<Usable>>();

/** What the user may do, read once per page. */
function usable(host: Host): Promise<Usable> {
  const reading = known.get(host) ?? request<Usable>(host, usableRequest);
  known.set(host, reading);
  reading.catch(() => known.delete(host));
  return reading;
}

/** The flow that hides a button from users who may not run its action. The server checks the right anyway. */
export const hidingFlow = (host: Host, action: Action) => ({
  key: 'telephonyRights',
  // Runs after NocoBase's own rules, which can show a button again.
  sort: 10_000,
  steps: {
    hide: {
      async handler(context: FlowContext) {
        const { model } = context;
        const setUp = model?.getStepParams(clickFlow, clickStep)?.account;
        const account = typeof setUp === 'string' && setUp !== '' ? setUp : accountOf(context);
        const all = await usable(host).catch(() => undefined);
        if (model && all && !isUsable(all, action, account)) model.hidden = true;
      },
    },
  },
});
