import type { Account } from '../account/account.ts';
import { type ClickRequest, mayRun } from '../settings/minimum-role.ts';

/** The attribute of an input that offers choices, or of an element next to it: where they are read. */
export const choicesAttribute = 'data-telephony-choices';

/** An element next to an input that offers choices. It says why there are none. */
export const choicesMark = (url: string): string =>
  `<span ${choicesAttribute}="${url.replaceAll('&', '&amp;')}" role="status"></span>`;

// A page that a popup is put into runs it again. Choices are read when someone goes into the input, once for each address until it fails.
/** Makes the inputs of a page offer their choices as a list, next to whatever is typed. */
export const choicesScript = `
if (!window.telephonyChoices) {
  const lists = (window.telephonyChoices = new Map());
  const read = async (url) => {
    const response = await fetch(url, { headers: { Accept: 'application/json' } });
    return response.ok ? response.json() : { choices: [] };
  };
  const listOf = async (url) => {
    const { choices, problem } = await read(url).catch(() => ({ choices: [], problem: 'Saltcorn did not respond.' }));
    const list = document.createElement('datalist');
    list.id = 'choices:' + url;
    for (const { value, label } of choices) {
      const option = document.createElement('option');
      Object.assign(option, { value, label: label === value ? '' : label });
      list.append(option);
    }
    if (choices.length > 0) document.body.append(list);
    return { list, problem };
  };
  const offer = async (input, mark) => {
    const url = mark.getAttribute('${choicesAttribute}');
    if (!lists.has(url)) lists.set(url, listOf(url));
    const { list, problem } = await lists.get(url);
    if (list.children.length === 0) lists.delete(url);
    else input.setAttribute('list', list.id);
    const hint = mark === input ? document.getElementById(input.id + '-choices') : mark;
    if (hint) hint.textContent = problem ? " Your numbers can't be listed. " + problem : '';
    if (document.activeElement === input && input.value === '' && list.children.length > 0)
      input.showPicker?.();
  };
  document.addEventListener('focusin', ({ target }) => {
    if (!target.matches('input.form-control')) return;
    const row = target.closest('.builder-config-field, .form-group');
    const mark = target.matches('[${choicesAttribute}]') ? target : row?.querySelector('[${choicesAttribute}]');
    // A browser opens the list by itself only when someone asks for it.
    if (mark) offer(target, mark).catch(() => {});
  });
}`;

const formPaths = ['/viewedit/', '/pageedit/', '/actions/', '/plugins/'];

interface PageRequest extends ClickRequest {
  originalUrl?: string;
}

/** The script in the head of the pages on which actions and the module's settings are filled in. */
export const choicesHeader = (account: Account) => ({
  headerTag: `<script>${choicesScript}</script>`,
  only_if: (request: PageRequest) =>
    request.user !== undefined &&
    mayRun(account.configuration, request) &&
    formPaths.some((path) => request.originalUrl?.startsWith(path)),
});
