import type { Account } from '../account/account.ts';
import { type ClickRequest, mayRun } from '../settings/minimum-role.ts';

/** The attribute that holds the URL of an input's choices, on the input or on an element next to it. */
export const choicesAttribute = 'data-telephony-choices';

/** An element next to an input with choices. It shows why there are none. */
export const choicesMark = (url: string): string =>
  `<span ${choicesAttribute}="${url.replaceAll('&', '&amp;')}" role="status"></span>`;

// A page runs this script again for each popup. It loads choices when the user focuses the input, once per URL unless
// that fails.
/** Offers the choices of a page's inputs as a list. Users can still type any value. */
export const choicesScript = `
if (!window.telephonyChoices) {
  const lists = (window.telephonyChoices = new Map());
  const read = async (url) => {
    const response = await fetch(url, { headers: { Accept: 'application/json' } });
    return response.ok ? response.json() : { choices: [] };
  };
  const listOf = async (url) => {
    const { choices, problem, ifFiltered } = await read(url).catch(() => ({ choices: [] }));
    const list = document.createElement('datalist');
    list.id = 'choices:' + url;
    for (const { value, label } of choices) {
      const option = document.createElement('option');
      Object.assign(option, { value, label: label === value ? '' : label });
      list.append(option);
    }
    if (choices.length > 0) document.body.append(list);
    return { list, problem, ifFiltered };
  };
  const offer = async (input, mark) => {
    const url = mark.getAttribute('${choicesAttribute}');
    if (!lists.has(url)) lists.set(url, listOf(url));
    const { list, problem, ifFiltered } = await lists.get(url);
    if (list.children.length === 0) lists.delete(url);
    else input.setAttribute('list', list.id);
    const hint = mark === input ? document.getElementById(input.id + '-choices') : mark;
    // Browsers list only the choices that contain the text in the field.
    const isFiltered = input.value !== '' && list.children.length > 1;
    const text = problem ?? (isFiltered ? ifFiltered : undefined);
    if (hint) hint.textContent = text ? ' ' + text : '';
    if (document.activeElement === input && input.value === '' && list.children.length > 0)
      input.showPicker?.();
  };
  const onFocus = ({ target }) => {
    if (!target.matches('input.form-control')) return;
    const row = target.closest('.builder-config-field, .form-group');
    const mark = target.matches('[${choicesAttribute}]') ? target : row?.querySelector('[${choicesAttribute}]');
    // A browser opens the list only when the user clicks its arrow.
    if (mark) offer(target, mark).catch(() => {});
  };
  document.addEventListener('focusin', onFocus);
  document.addEventListener('input', (event) => {
    if (event.target.value === '') onFocus(event);
  });
}`;

const formPaths = ['/viewedit/', '/pageedit/', '/actions/', '/plugins/'];

interface PageRequest extends ClickRequest {
  originalUrl?: string;
}

/** Adds the script to the pages where users fill in actions and the module's settings. */
export const choicesHeader = (account: Account) => ({
  headerTag: `<script>${choicesScript}</script>`,
  only_if: (request: PageRequest) =>
    request.user !== undefined &&
    mayRun(account.configuration, request) &&
    formPaths.some((path) => request.originalUrl?.startsWith(path)),
});
