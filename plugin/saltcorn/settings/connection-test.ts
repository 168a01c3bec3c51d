import { escapeHtml } from '@saltcorn/data/utils';
import { definitions, sentence, testSettings } from '../../../src/builder.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import { storedSecrets, takeTyped } from '../account/stored-secrets.ts';
import type { JsonResponse } from '../action/visitor.ts';
import { say, translated } from '../translated.ts';
import { onSettingsPage } from './location.ts';
import { administrator } from './minimum-role.ts';

const url = `/${definitions.manifest.id}/test-connection`;

interface Request {
  body?: Record<string, unknown>;
  user?: { role_id: number };
}

/** The button that tests the settings in the form, saved or not. */
export const connectionTestButton = () => ({
  label: translated('Test connection'),
  id: 'test-connection',
  class: 'btn btn-outline-primary me-2',
  onclick: `ajax_post('${url}', { data: $(this.form).serialize() })`,
});

async function test(values: Record<string, unknown>) {
  const { typed, stored } = effectiveSettings(values, await storedSecrets());
  const options = { sender: values.defaultSender, say };
  const { outcome, message } = await testSettings(typed, stored, options);
  const text = escapeHtml(onSettingsPage(message));
  if (outcome === 'untried' || outcome === 'other-sender')
    return { notify: text, notify_type: 'warning' };
  return outcome === 'works' ? { notify_success: text } : { error: text };
}

/** Serves the connection test. Only for administrators, because it sends the stored password. */
export const connectionTestRoute = {
  url,
  method: 'post',
  callback: async ({ body = {}, user }: Request, response: JsonResponse) => {
    if (user?.role_id === administrator) response.json(await test(takeTyped(body)));
    else
      response
        .status(403)
        .json({ error: say(sentence('Only administrators can test the connection.')) });
  },
};
