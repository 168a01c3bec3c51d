import { float, string } from '@saltcorn/data/base-plugin/types';
import { text_attr } from '@saltcorn/markup/tags';
import { audioPlayer, picture } from './field-views.ts';

interface Shown {
  row?: Record<string, unknown>;
  /** The column with the currency. */
  currency?: string;
  /** The path to the amount, if it is in a row of another table. */
  join_field?: string;
}

const isGiven = (value: unknown) => value !== null && value !== undefined;

// `row` is the row in the view, which doesn't contain the currency of another table's amount.
const currencyOf = ({ row = {}, currency = '', join_field }: Shown) =>
  join_field ? undefined : row[currency];

let format: Intl.NumberFormat | undefined;

/** Formats an amount with at least two decimals. */
function decimals(value: unknown) {
  if (typeof value !== 'number' || !Number.isFinite(value)) return value;
  // Not while loading, because the first use of Intl in a process takes long.
  format ??= new Intl.NumberFormat('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 10,
  });
  return format.format(value);
}

const amountWithCurrency = {
  isEdit: false,
  description: 'An amount with its currency',
  run: (value: unknown, _request?: object, shown: Shown = {}) =>
    isGiven(value) ? text_attr([decimals(value), currencyOf(shown)].filter(isGiven).join(' ')) : '',
};

/** The type of an amount whose currency is in another column, named by the attribute `currency`. */
export const amountType = 'Amount of money';

/** The type of an audio URL, or of the reason why there is none. */
export const audioType = 'Sound';

/** The type of a picture URL, or of the reason why there is none. */
export const pictureType = 'Picture';

/** Column types. Saltcorn shows a column with the first field view of its type by default. */
export const columnTypes = () => [
  {
    ...float,
    name: amountType,
    description: 'Numbers whose currency is in another column',
    fieldviews: { ...float.fieldviews, show: amountWithCurrency },
    attributes: [
      ...float.attributes,
      { name: 'currency', label: 'Column with the currency', type: 'String', required: false },
    ],
  },
  {
    ...string,
    name: audioType,
    description: 'The URL of a recording',
    fieldviews: { show: audioPlayer, ...string.fieldviews, audio_player: audioPlayer },
  },
  {
    ...string,
    name: pictureType,
    description: 'The URL of a picture',
    fieldviews: { show: picture, ...string.fieldviews, picture },
  },
];
