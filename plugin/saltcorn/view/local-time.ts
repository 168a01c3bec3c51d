import { escapeHtml } from '@saltcorn/data/utils';
import { genericElement } from '@saltcorn/markup/tags';
import { type Say, sentenceParts } from '../../../src/builder.ts';
import { translated } from '../translated.ts';

const element = 'telephony-time';

/** A time for a page, which shows it in the visitor's time zone and in the language of the text around it. */
export const localTime = (time: Date): string =>
  genericElement(
    element,
    { lang: translated('en') },
    genericElement('time', { datetime: time.toISOString() }, time.toUTCString()),
  );

/** Writes sentences as HTML. */
export const sayHtml: Say = (said) =>
  sentenceParts(said, translated)
    .map((part) => (typeof part === 'string' ? escapeHtml(part) : localTime(part)))
    .join('');

/**
 * Shows these times in each page. Only the browser knows the time zone. Saltcorn's own script writes times in the browser's language
 * instead of the page's, and none in toasts. A browser in British English writes English as the British do.
 */
export const timesHeader = {
  headerTag: `<script>
document.addEventListener('DOMContentLoaded', () => {
  if (customElements.get('${element}')) return;
  customElements.define('${element}', class extends HTMLElement {
    connectedCallback() {
      const [time] = this.children;
      const { lang } = this;
      const own = navigator.languages.find((one) => one.split('-')[0] === lang) ?? lang;
      time.textContent = new Date(time.dateTime).toLocaleString(own, { dateStyle: 'medium', timeStyle: 'short' });
    }
  });
});
</script>`,
};
