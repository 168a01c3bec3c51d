import { float, string } from '@saltcorn/data/base-plugin/types';
import { text_attr } from '@saltcorn/markup/tags';
import { audioPlayer, picture } from './field-views.ts';

interface Shown {
  row?: Record<string, unknown>;
  /** The column with the currency. */
  currency?: string;
  /** The path to the amount, where it is that of a row of another table. */
  join_field?: string;
}

const isGiven = (value: unknown) => value !== null && value !== undefined;

// The row is the one that is shown: the currency of another table's amount is not in it.
const currencyOf = ({ row = {}, currency = '', join_field }: Shown) =>
  join_field ? undefined : row[currency];

const format = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 10,
});

/** An amount with two decimals, or as many as it has. */
const decimals = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? format.format(value) : value;

const amountWithCurrency = {
  isEdit: false,
  description: 'An amount with its currency',
  run: (value: unknown, _request?: object, shown: Shown = {}) =>
    isGiven(value) ? text_attr([decimals(value), currencyOf(shown)].filter(isGiven).join(' ')) : '',
};

/** The type of an amount whose currency is in another column, which the attribute `currency` of its column names. */
export const amountType = 'Amount of money';

/** The type of the address of audio, or why there is none. */
export const soundType = 'Sound';

/** The type of the address of a picture, or why there is none. */
export const pictureType = 'Picture';

/** Types of columns, for which Saltcorn chooses the first way to show them by itself. */
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
    name: soundType,
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
