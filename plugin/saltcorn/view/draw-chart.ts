import { genericElement, text_attr } from '@saltcorn/markup/tags';
import { axisOf, type Series } from '../../../src/builder.ts';
import { translated } from '../translated.ts';

/** What a chart shows. */
export interface Chart {
  name: string;
  /** The first days of the periods. */
  periods: string[];
  series: Series[];
  isMonthly: boolean;
  isAmount: boolean;
  locale: string;
}

/** Okabe and Ito's colours, which people with any colour vision can tell apart. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7a5195'];

const height = 100;

const el = (name: string, attributes: Record<string, unknown>, ...content: string[]) =>
  genericElement(name, attributes, content.join(''));

const sum = (values: number[]) => values.reduce((all, value) => all + value, 0);

function numberFormat({ isAmount, locale }: Chart) {
  const { format } = new Intl.NumberFormat(locale, {
    minimumFractionDigits: isAmount ? 2 : 0,
    maximumFractionDigits: 4,
  });
  return format;
}

function periodFormat({ isMonthly, locale }: Chart) {
  const { format } = new Intl.DateTimeFormat(locale, {
    ...{ timeZone: 'UTC', year: 'numeric', month: 'short' },
    ...(!isMonthly && { day: 'numeric' }),
  });
  return (period: string) => format(new Date(period));
}

const colourOf = (index: number) => colours[index % colours.length];

/** The bars, without texts: they stretch with the page. */
function bars(
  { name, periods, series }: Chart,
  [bottom, top]: [bottom: number, top: number],
  titleOf: (...of: [Series, string]) => string,
) {
  const scale = height / (top - bottom);
  const rects = periods.flatMap((period, x) => {
    let [above, below] = [0, 0];
    return series.map((one, index) => {
      const value = one.sums.get(period) ?? 0;
      const y = (top - (value > 0 ? above + value : below)) * scale;
      if (value > 0) above += value;
      else below += value;
      return value !== 0
        ? el(
            'rect',
            {
              x: x + 0.1,
              y: y.toFixed(2),
              width: 0.8,
              height: (Math.abs(value) * scale).toFixed(2),
              fill: colourOf(index),
            },
            el('title', {}, text_attr(titleOf(one, period))),
          )
        : '';
    });
  });
  const size = `0 0 ${periods.length} ${height}`;
  return el(
    'svg',
    {
      ...{ viewBox: size, preserveAspectRatio: 'none', role: 'img', 'aria-label': text_attr(name) },
      class: 'w-100 border-top border-bottom',
      style: 'height: 12rem',
    },
    ...rects,
  );
}

/** The first, the middle and the last period. */
const marked = (periods: string[]) => [
  ...new Set([periods[0], periods[Math.floor((periods.length - 1) / 2)], periods.at(-1)]),
];

function legend({ series }: Chart, format: (value: number) => string) {
  const entries = series.map(({ name, sums }, index) =>
    el(
      'span',
      { class: 'me-3' },
      el('span', { 'aria-hidden': 'true', style: `color: ${colourOf(index)}` }, '■ '),
      text_attr(`${name || translated('Total')}: ${format(sum([...sums.values()]))}`),
    ),
  );
  return el('figcaption', { class: 'small mt-2' }, ...entries);
}

function numbers(
  { name, periods, series }: Chart,
  format: (value: number) => string,
  write: (period: string) => string,
) {
  const [first] = series;
  const isDivided = series.length > 1;
  // In one column, which fits on a phone, however many series there are.
  const textOf = (period: string) =>
    series
      .filter(({ sums }) => sums.has(period))
      .map(({ name, sums }) =>
        [isDivided && `${name}:`, format(sums.get(period) ?? 0)].filter(Boolean).join(' '),
      )
      .join(', ');
  const heads = [
    translated('Date'),
    isDivided ? translated('Numbers') : first?.name || translated('Total'),
  ];
  const rows = periods
    .filter((period) => series.some(({ sums }) => sums.has(period)))
    .map((period) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, text_attr(write(period))),
        el('td', { class: 'text-end' }, text_attr(textOf(period))),
      ),
    );
  const head = heads.map((text, index) =>
    el('th', { scope: 'col', ...(index > 0 && { class: 'text-end' }) }, text_attr(text)),
  );
  const table = el(
    'table',
    { class: 'table table-sm w-auto' },
    el('caption', { class: 'visually-hidden' }, text_attr(name)),
    el('thead', {}, el('tr', {}, ...head)),
    el('tbody', {}, ...rows),
  );
  return el(
    'details',
    { class: 'small' },
    el('summary', {}, text_attr(translated('Numbers'))),
    el('div', { class: 'table-responsive' }, table),
  );
}

/** Draws bars, a legend and, for everyone who can't see or point at bars, a table with their numbers. */
export function drawChart(chart: Chart): string {
  const { periods, series } = chart;
  if (series.length === 0)
    return el('p', { class: 'mb-0' }, text_attr(translated('No rows in this time.')));
  const [format, write] = [numberFormat(chart), periodFormat(chart)];
  const [bottom, top] = axisOf(series, periods);
  const axis = [top, (top + bottom) / 2, bottom].map((value) => el('span', {}, format(value)));
  const dates = marked(periods).map((period) => el('span', {}, text_attr(write(String(period)))));
  const titleOf = ({ name, sums }: Series, period: string) =>
    `${write(period)}: ${[name, format(sums.get(period) ?? 0)].filter(Boolean).join(' ')}`;
  const [vertical, horizontal] = ['d-flex flex-column', 'd-flex'].map(
    (flow) => `${flow} justify-content-between small`,
  );
  return el(
    'figure',
    { class: 'mb-0' },
    el(
      'div',
      { class: 'd-flex gap-2' },
      el(
        'div',
        { class: `${vertical} text-end`, 'aria-hidden': 'true', style: 'height: 12rem' },
        ...axis,
      ),
      el(
        'div',
        { class: 'flex-grow-1', style: `max-width: ${periods.length * 5}rem` },
        bars(chart, [bottom, top], titleOf),
        el('div', { class: horizontal, 'aria-hidden': 'true' }, ...dates),
      ),
    ),
    legend(chart, format),
    numbers(chart, format, write),
  );
}
