import { a, genericElement, img, span, text_attr } from '@saltcorn/markup/tags';
import {
  cleanPhone,
  durationText,
  errorSentence,
  type StatusMeaning,
  statusMeaning,
} from '../../../src/builder.ts';
import { translated } from '../translated.ts';
import { amountWithCurrency } from './amount-with-currency.ts';
import { dayFilter } from './day-filter.ts';
import { ownNumber } from './own-number.ts';
import { smsTextarea } from './sms-textarea.ts';

const isShow = { isEdit: false };

/** The theme's colour for what a status means. */
const colours: Record<StatusMeaning, string> = {
  success: 'text-bg-success',
  active: 'text-bg-primary',
  waiting: 'text-bg-info',
  warning: 'text-bg-warning',
  // Small letters in the themes' white are hard to read on their red.
  failure: 'bg-danger text-black',
};

function colourOf(status: string): string {
  const meaning = statusMeaning(status);
  return meaning ? colours[meaning] : 'text-bg-secondary';
}

/** Writes a technical value in words: `outbound-api` becomes “Outbound api”. Leaves other texts unchanged. */
export function inWords(value: string): string {
  if (!/^[a-z\d]+([-_][a-z\d]+)*$/.test(value)) return value;
  const found = translated(value);
  const words = found === value ? value.replaceAll(/[-_]/g, ' ') : found;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function errorInWords(code: string): string {
  const sentence = errorSentence(code);
  return sentence ? `${translated(sentence)} (${code})` : code;
}

// In Saltcorn's builder, a click selects an element, but a player or a link would intercept it.
const isInBuilder = (request?: { originalUrl?: string } | null) =>
  request?.originalUrl?.startsWith('/field/preview/');

/** An audio player. Its value is a URL, or the reason why there is none. */
export const audioPlayer = {
  ...isShow,
  description: 'An audio player',
  run: (value: unknown, request?: { originalUrl?: string } | null) =>
    /^\/(?!\/)/.test(String(value ?? ''))
      ? genericElement('audio', {
          ...{ controls: true, preload: 'none', 'aria-label': translated('Listen') },
          ...(isInBuilder(request) && { style: 'pointer-events: none' }),
          src: text_attr(value),
        })
      : text_attr(translated(String(value ?? ''))),
};

/** A picture that opens on a click. Its value is a URL, or the reason why there is none. */
export const picture = {
  ...isShow,
  description: 'A picture',
  run: (value: unknown, request?: { originalUrl?: string } | null) =>
    /^\/(?!\/)/.test(String(value ?? ''))
      ? a(
          {
            ...{ href: text_attr(value), target: '_blank', rel: 'noopener' },
            ...(isInBuilder(request) && { style: 'pointer-events: none' }),
          },
          img({
            ...{ src: text_attr(value), alt: translated('Picture'), loading: 'lazy' },
            style: 'max-width: 100%; max-height: 10rem',
          }),
        )
      : text_attr(translated(String(value ?? ''))),
};

export const statusBadge = {
  ...isShow,
  description: 'A status as a coloured badge',
  run: (value: unknown) =>
    value
      ? span({ class: `badge ${colourOf(String(value))}` }, text_attr(translated(String(value))))
      : '',
};

export const clockDuration = {
  ...isShow,
  description: 'Seconds as minutes and seconds, 2:05',
  run: durationText,
};

/** Field views and inputs that the builder offers besides Saltcorn's own. */
export const fieldviews = {
  phone_link: {
    ...isShow,
    type: 'String',
    description: 'A phone number as a link that calls it',
    run: (value: unknown) => {
      const number = cleanPhone(String(value ?? '').trim());
      const text = text_attr(value ?? '');
      return /^\+\d+$/.test(number) ? a({ href: `tel:${number}` }, text) : text;
    },
  },
  status_badge: { ...statusBadge, type: 'String' },
  in_words: {
    ...isShow,
    type: 'String',
    description: 'A value such as outbound-api in words: Outbound api',
    run: (value: unknown) => text_attr(inWords(String(value ?? ''))),
  },
  error_in_words: {
    ...isShow,
    type: 'String',
    description: 'An error code of the service, such as 30003, in words',
    run: (value: unknown) => text_attr(errorInWords(String(value ?? ''))),
  },
  sms_textarea: smsTextarea,
  own_number: ownNumber,
  day_filter: dayFilter,
  clock_duration: { ...clockDuration, type: 'Integer' },
  amount: { ...amountWithCurrency, type: 'Float' },
  audio_player: { ...audioPlayer, type: 'String' },
  picture: { ...picture, type: 'String' },
};
