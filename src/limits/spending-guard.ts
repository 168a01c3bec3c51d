import type { Action, Field } from '../../generated/definition-types.ts';
import { recipientField } from '../definition/fields.ts';
import { countryOf, withoutChannel } from '../field-types/phone.ts';
import type { Values } from '../input/check-values.ts';
import type { Context } from '../send/perform.ts';
import { type LimitKey, limitLabel, type Spending } from '../settings/spending.ts';
import { numberText, utcText } from '../text/format.ts';
import { minuteText, quietUntil } from '../text/quiet-hours.ts';
import { isSmsText, smsSegments } from '../text/sms-segments.ts';
import { limitReached } from './limit-reached.ts';
import { type Reached, type Series, seriesNames, usageOf } from './usage.ts';

/** Keeps one action within the limits of its account. */
export interface SpendingGuard {
  /** Rejects with code `limit-reached` if the action may not be sent, however many were sent before. */
  check(): Promise<void>;
  /**
   * Counts the action, right before it is sent.
   *
   * @throws {TelephonyError} with code `limit-reached`
   */
  count(): Promise<void>;
  /** Takes the count back, because the action was not sent. */
  takeBack(): Promise<void>;
}

const unlimited: SpendingGuard = {
  check: async () => {},
  count: async () => {},
  takeBack: async () => {},
};

const timeOf = (field: Field | undefined, values: Values) => {
  const time = new Date(String((field && values[field.key]) ?? ''));
  return Number.isNaN(Number(time)) ? Date.now() : Number(time);
};

function checkQuietHours({ quietHours }: Spending, { fields }: Action, values: Values): void {
  const later = fields.find(({ purpose }) => purpose === 'send-at');
  const until = quietHours && quietUntil(quietHours, timeOf(later, values));
  if (!quietHours || until === undefined) return;
  throw limitReached(
    'quietHours',
    `"${limitLabel('quietHours')}" last until ${minuteText(quietHours.to)} (${quietHours.timeZone}).`,
    { until, ...(later && { advice: `Send it then, or enter a later time in "${later.label}".` }) },
  );
}

function checkCountry({ countries }: Spending, field: Field | undefined, values: Values): void {
  if (countries.size === 0 || !field) return;
  const number = String(values[field.key] ?? '');
  const country = countryOf(withoutChannel(number));
  if (country !== undefined && countries.has(country)) return;
  const place = country ? `a number of ${country}` : 'which has no country';
  const allowed = [...countries].join(', ');
  throw limitReached(
    'countries',
    `"${field.label}" is ${number}, ${place}. "${limitLabel('countries')}" has only ${allowed}.`,
  );
}

function checkLength({ most }: Spending, { fields }: Action, values: Values): void {
  const limit = most.mostSegments?.most ?? Number.POSITIVE_INFINITY;
  for (const { key, label } of fields.filter(isSmsText)) {
    const { segments } = smsSegments(String(values[key] ?? ''));
    if (segments > limit)
      throw limitReached(
        'mostSegments',
        `"${label}" takes ${segments} SMS. "${limitLabel('mostSegments')}" allows ${limit}.`,
      );
  }
}

function seriesOf(spending: Spending, action: Action, recipient: string, isConfirmed: boolean) {
  const limitOf = (key: LimitKey) => {
    const { most, isSet = false } = spending.most[key] ?? {};
    return isSet || !isConfirmed ? most : undefined;
  };
  const counted = (key: LimitKey, name: string): Series => ({ key, name, limit: limitOf(key) });
  if (action.counts === 'call') return [counted('callsPerHour', seriesNames.callsPerHour)];
  const toRecipient = counted('perRecipientPerHour', seriesNames.perRecipientPerHour(recipient));
  return [
    counted('perHour', seriesNames.perHour),
    counted('perDay', seriesNames.perDay),
    // A confirmed batch has no limit for recipients, and needs not one count for each.
    ...(toRecipient.limit === undefined ? [] : [toRecipient]),
  ];
}

function reachedError({ series: { key, limit = 0 }, until }: Reached) {
  const sentence = `The limit "${limitLabel(key)}" (${numberText(limit)}) is reached.`;
  return limitReached(key, sentence, {
    until,
    advice: `You can send again at ${utcText(new Date(until))}.`,
  });
}

/** Returns the guard of an action, which is about to be sent. */
export function spendingGuard(
  { connection, isConfirmed = false }: Context,
  action: Action,
  values: Values,
): SpendingGuard {
  const { spending } = connection;
  if (!spending || !action.counts) return unlimited;
  const field = recipientField(action);
  const recipient = withoutChannel(String((field && values[field.key]) ?? ''));
  const series = seriesOf(spending, action, recipient, isConfirmed);
  let takeBack: (() => Promise<void>) | undefined;
  return {
    async check() {
      if (await spending.isStopped())
        throw limitReached('stopped', `"${limitLabel('stopped')}" is on.`);
      checkCountry(spending, field, values);
      checkLength(spending, action, values);
      checkQuietHours(spending, action, values);
    },
    async count() {
      const taken = await usageOf(connection).take(series);
      if (typeof taken !== 'function') throw reachedError(taken);
      takeBack = taken;
    },
    takeBack: async () => takeBack?.(),
  };
}
