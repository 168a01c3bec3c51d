import { domReady, genericElement, text_attr } from '@saltcorn/markup/tags';
import { smsCount, smsSegments } from '../../../src/builder.ts';
import { say, translated } from '../translated.ts';

/** The text of the counter with its values' names, for the script. */
const counter = () =>
  say(smsCount({ segments: '{segments}', left: '{left}', alphabet: '{alphabet}' }));

// A page runs this script again for each popup. It listens to jQuery events, because Saltcorn fires only those when it
// fills in or empties an input, and waits, because a form still has its values during its reset event.
const script = () => `
window.telephonyCountSms = (area) => {
  const counted = (${smsSegments})(area.value);
  area.nextElementSibling.textContent = ${JSON.stringify(counter())}.replace(/\\{(\\w+)}/g, (_, name) => counted[name]);
};
window.telephonyCountAll = () => document.querySelectorAll('[data-counts-sms]').forEach(telephonyCountSms);
telephonyCountAll();
${domReady(`$(document).off('.telephony').on('change.telephony set_form_field.telephony reset.telephony', () => setTimeout(telephonyCountAll));`)}`;

/** A text area that counts the segments of an SMS while the user types. */
export const smsTextarea = {
  type: 'String',
  isEdit: true,
  blockDisplay: true,
  description: 'The text of an SMS, with a counter',
  configFields: () => [
    { name: 'rows', label: translated('Rows'), type: 'Integer' },
    { name: 'placeholder', label: translated('Placeholder'), type: 'String' },
  ],
  run: (
    name: string,
    value: unknown,
    attributes: Record<string, unknown>,
    cssClass: string,
    required: boolean,
    field: { name: string },
  ) => {
    const id = `input${text_attr(name)}`;
    const area = genericElement(
      'textarea',
      {
        ...{ id, name: text_attr(name), 'data-fieldname': text_attr(field.name) },
        ...{ class: ['form-control', cssClass], rows: attributes.rows || 5, required },
        placeholder: text_attr(attributes.placeholder ?? ''),
        ...{ disabled: attributes.disabled, readonly: attributes.readonly },
        ...{ onChange: attributes.onChange, oninput: 'telephonyCountSms(this)' },
        ...{ 'data-counts-sms': true, 'aria-describedby': `${id}-count` },
      },
      text_attr(value ?? ''),
    );
    const count = genericElement('div', { id: `${id}-count`, class: 'small' }, '');
    return area + count + genericElement('script', {}, script());
  },
};
