import { domReady, genericElement, text_attr } from '@saltcorn/markup/tags';
import { translated } from '../translated.ts';

// Runs in the browser, because only that knows the user's time zone and what day it is there. Saltcorn reads a day in a
// URL as one in UTC, so the URL contains times. A keyboard enters a year digit by digit, and `min` makes the first three
// invalid.
const script = () => `
window.telephonyFilterDays = (group) => {
  const column = group.dataset.dayFilter;
  const buttons = [...group.querySelectorAll('button')];
  const [first, last] = group.querySelectorAll('input');
  const midnight = (ago) => {
    const day = new Date();
    day.setHours(0, 0, 0, 0);
    day.setDate(day.getDate() - ago);
    return day;
  };
  const two = (number) => String(number).padStart(2, '0');
  const dayOf = (text) => {
    const day = new Date(/^[-\\d]{10}$/.test(text) ? text + 'T00:00' : text);
    return isNaN(day) ? '' : day.getFullYear() + '-' + two(day.getMonth() + 1) + '-' + two(day.getDate());
  };
  const filter = (from, to) =>
    set_state_fields(
      { ['_fromdate_' + column]: from?.toISOString() ?? { unset: true }, ['_todate_' + column]: to?.toISOString() ?? { unset: true } },
      false,
      group,
    );
  first.value = dayOf(first.dataset.time);
  last.value = dayOf(last.dataset.time);
  for (const button of buttons) {
    const { days } = button.dataset;
    const start = days && midnight(Number(days));
    const isActive = !last.dataset.time && (start ? +new Date(first.dataset.time) === +start : !first.dataset.time);
    button.classList.toggle('active', isActive);
    button.setAttribute('aria-pressed', isActive);
    button.onclick = () => filter(days && midnight(Number(days)) || undefined);
  }
  first.onchange = last.onchange = () => {
    if (!first.validity.valid || !last.validity.valid) return;
    filter(
      first.value ? new Date(first.value + 'T00:00') : undefined,
      last.value ? new Date(last.value + 'T23:59:59.999') : undefined,
    );
  };
};
${domReady("document.querySelectorAll('[data-day-filter]').forEach(telephonyFilterDays);")}`;

/** How many days before today a button's days start; none for all days. */
const periods: [label: string, days: string][] = [
  ['All', ''],
  ['Today', '0'],
  ['Last 7 days', '6'],
];

const dayInput = (label: string, time: unknown, disabled: unknown) =>
  genericElement('input', {
    ...{ type: 'date', class: 'form-control px-2', min: '1970-01-01', max: '9999-12-31' },
    ...{ 'aria-label': text_attr(label), title: text_attr(label) },
    // Two of them fit next to each other on a phone.
    style: 'width: 8.4rem',
    ...{ disabled, 'data-time': text_attr(time ?? '') },
  });

/** A filter by days in the user's time zone: today, the last seven days, or from a day to another one. */
export const dayFilter = {
  type: 'Date',
  isEdit: false,
  isFilter: true,
  blockDisplay: true,
  description: "Filters by days in the user's time zone: today, the last 7 days, or two dates",
  run: (
    name: string,
    _value?: unknown,
    { disabled }: { disabled?: boolean } = {},
    _cssClass?: string,
    _required?: boolean,
    field?: { label?: string },
    state: Record<string, unknown> = {},
  ) => {
    const buttons = periods.map(([label, days]) =>
      genericElement(
        'button',
        { type: 'button', class: 'btn btn-outline-primary', disabled, 'data-days': days },
        text_attr(translated(label)),
      ),
    );
    const days = [
      dayInput(translated('First day'), state[`_fromdate_${name}`], disabled),
      '–',
      dayInput(translated('Last day'), state[`_todate_${name}`], disabled),
    ];
    return (
      genericElement(
        'div',
        {
          ...{ class: 'd-flex flex-wrap gap-2', role: 'group', 'data-day-filter': text_attr(name) },
          'aria-label': text_attr(field?.label ?? name),
        },
        genericElement('div', { class: 'btn-group' }, buttons.join('')) +
          genericElement(
            'div',
            { class: 'd-flex flex-wrap gap-1 align-items-center' },
            days.join(''),
          ),
      ) + genericElement('script', {}, script())
    );
  },
};
