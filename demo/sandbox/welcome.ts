import { ACCOUNT_NUMBERS, basePathOf } from './account.ts';
import type { State } from './state.ts';
import { CODE } from './verifications.ts';

const numbers = Object.values(ACCOUNT_NUMBERS)
  .map(({ number, name }) => `<option value="${number}">${number} (${name})</option>`)
  .join('');

const KEYS = [...'123456789*0#']
  .map((key) => `<button value="${key}" aria-label="Key ${key}">${key}</button>`)
  .join('');

const parties = `<label>From <input name="from" value="+12025550143" required></label>
<label>To <select name="to">${numbers}</select></label>`;

/** The page at the sandbox's root: its credentials, what it recorded, and forms that simulate an SMS and a call. */
export function welcome({ account, credentials }: State): string {
  const [[username, password] = []] = credentials;
  const baseUrl = account.origin + basePathOf(account.root);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Telephony sandbox</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 24px auto; max-width: 640px; padding: 0 16px; }
  dt { font-weight: bold; }
  dd { margin: 0 0 8px; overflow-wrap: anywhere; }
  form { display: grid; gap: 8px; justify-items: start; }
  #caller div { display: grid; grid-template-columns: repeat(3, 48px); gap: 8px; }
  #caller button { font: inherit; min-height: 44px; }
  label, input:not([type]), select { display: block; font: inherit; max-width: 100%; }
</style>
<main>
<h1>Telephony sandbox</h1>
<p>Calls, recordings and messages that exist only here. No one is called, and no SMS is sent.</p>
<h2>Account</h2>
<dl>
  <dt>Base URL, Content URL, Lookup URL and Verify URL</dt><dd><code>${baseUrl}</code></dd>
  <dt>username</dt><dd><code>${username}</code></dd>
  <dt>password</dt><dd><code>${password}</code></dd>
</dl>
<p>The one-time code is always ${CODE}.</p>
<h2>Simulate an incoming SMS</h2>
<form action="/sandbox/messages">
${parties}
<label>Message <input name="body" value="Are you open?" required></label>
<button>Send to the sandbox</button>
<output></output>
</form>
<h2>Simulate a call</h2>
<form action="/sandbox/calls">
${parties}
<label>It ends as <select name="end"><option>completed<option>no-answer<option>busy</select></label>
<button>Call the sandbox</button>
<output></output>
</form>
<section id="caller" hidden>
<h3>The caller</h3>
<ol aria-live="polite"></ol>
<p></p>
<div>${KEYS}</div>
<label>Says <input name="speech"></label>
<button name="say">Speak</button>
</section>
<p>If the number has a webhook URL, the sandbox sends the event to it.</p>
<h2>Logs</h2>
<ul>
  <li><a href="/sandbox/requests">Requests to the sandbox</a>, oldest first</li>
  <li><a href="/sandbox/messages">Messages</a>, newest first</li>
  <li><a href="/sandbox/events">Events it sent</a>, with their outcome</li>
  <li><a href="/sandbox/numbers">Webhook URLs of the numbers</a></li>
</ul>
</main>
<script>
  for (const form of document.forms)
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const answer = await fetch(form.action, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(new FormData(form))),
      }).catch(() => undefined);
      form.querySelector('output').textContent = !answer
        ? 'The sandbox did not respond. Is it running?'
        : answer.ok
          ? 'Received at ' + new Date().toLocaleTimeString() + '.'
          : (await answer.clone().json()).error;
      if (answer?.ok && form.action.endsWith('/calls')) follow((await answer.json()).sid);
    });

  const caller = document.querySelector('#caller');
  const speech = caller.querySelector('input');
  let followed;
  const asks = { dtmf: 'press a key', speech: 'speak' };
  function show({ status, heard, asked }) {
    caller.hidden = heard.length === 0;
    caller.querySelector('ol').replaceChildren(...heard.map((text) => Object.assign(document.createElement('li'), { textContent: text })));
    caller.querySelector('p').textContent = asked.length > 0
      ? 'You can ' + asked.map((one) => asks[one]).join(' or ') + '.'
      : 'The call is ' + status + '.';
    for (const button of caller.querySelectorAll('button'))
      button.disabled = !asked.includes(button.name === 'say' ? 'speech' : 'dtmf');
  }
  async function follow(sid) {
    followed = sid;
    for (let isLive = true; isLive && followed === sid; ) {
      const view = await fetch('/sandbox/calls/' + sid).then((answer) => answer.json(), () => undefined);
      if (!view) return;
      show(view);
      isLive = ['queued', 'ringing', 'in-progress'].includes(view.status);
      if (isLive) await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
  for (const button of caller.querySelectorAll('button'))
    button.addEventListener('click', async () => {
      const input = button.name === 'say' ? { speech: speech.value } : { digits: button.value };
      const answer = await fetch('/sandbox/calls/' + followed + '/answers', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(input),
      });
      if (!answer.ok) return;
      if (button.name === 'say') speech.value = '';
      show(await answer.json());
    });
</script>
`;
}
