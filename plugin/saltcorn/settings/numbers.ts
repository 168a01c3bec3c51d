import { escapeHtml } from '@saltcorn/data/utils';
import {
  definitions,
  numberPress,
  numberWebhooks,
  sayNumbers,
  sentence,
  showNumbers,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { authTokenOf } from '../account/auth-token.ts';
import type { JsonResponse } from '../action/visitor.ts';
import { store } from '../tenant-store.ts';
import { say } from '../translated.ts';
import { webhookUrl } from './event-settings.ts';
import { administrator } from './minimum-role.ts';

const url = `/${definitions.manifest.id}/numbers`;

interface Request {
  body?: unknown;
  user?: { role_id: number };
}

const lost = sentence('{builder} did not respond, so the outcome is unknown. {advice}', {
  builder: 'Saltcorn',
  advice: sentence('Show the numbers again.'),
});

/** The button that shows the account's numbers below itself, where their SMS and calls go, and buttons to send them here. */
export const numbersList = (): string =>
  `<div data-telephony-numbers="${url}" data-lost="${escapeHtml(say(lost))}" class="mt-2"><button type="button" class="btn btn-sm btn-outline-secondary">${say(showNumbers)}</button></div>`;

/** Shows the numbers. An element for the head of the settings page. */
export const numbersScript = {
  headerTag: `<script>
document.addEventListener('click', async ({ target }) => {
  const place = target.closest('[data-telephony-numbers]');
  if (!place || target.tagName !== 'BUTTON') return;
  const { sid, seen, press, asks } = target.dataset;
  if (asks && !confirm(asks)) return;
  for (const one of place.querySelectorAll('button')) one.disabled = true;
  const add = (parent, tag, className, text) => {
    const one = document.createElement(tag);
    Object.assign(one, { className, textContent: text ?? '' });
    parent.append(one);
    return one;
  };
  place.offer ??= target;
  const { numbers = [], done, problem } = await fetch(place.dataset.telephonyNumbers, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'CSRF-Token': _sc_globalCsrf },
    body: JSON.stringify({ sid, seen, press }),
  })
    .then((response) => response.json())
    .catch(() => ({ problem: place.dataset.lost }));
  place.replaceChildren();
  const notice = add(place, 'div', problem ? 'text-danger' : 'text-success', problem ?? done);
  notice.role = 'status';
  place.offer.disabled = false;
  if (numbers.length === 0) place.append(place.offer);
  for (const number of numbers) {
    add(place, 'div', 'fw-bold mt-2', number.name);
    for (const line of number.lines) add(place, 'div', 'text-break', line);
    for (const { label, ...button } of number.buttons) {
      const one = add(place, 'button', 'btn btn-sm btn-outline-secondary me-1', label);
      one.type = 'button';
      Object.assign(one.dataset, { sid: number.sid, seen: number.seen }, button);
    }
  }
});
</script>`,
};

async function respond(account: Account, pressed: unknown) {
  const view = await numberWebhooks(
    async () => ({
      ...{ telephony: await account.telephony(), settings: await account.settings(), store },
      ...{ url: webhookUrl(account.configuration), authToken: await authTokenOf() },
    }),
    numberPress(pressed),
  );
  if (view.done) account.changed();
  return sayNumbers(view, say);
}

/** Serves the account's numbers, and the presses of their buttons. Only for administrators. */
export const numbersRoute = (account: Account) => ({
  url,
  method: 'post',
  callback: async ({ body, user }: Request, response: JsonResponse) => {
    if (user?.role_id === administrator) response.json(await respond(account, body));
    else
      response
        .status(403)
        .json({ problem: say(sentence('Only administrators can change the numbers.')) });
  },
});
