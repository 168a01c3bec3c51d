import type { Action, EventReply, Field } from '../../generated/definition-types.ts';
import { recipientField } from '../definition/fields.ts';
import { eventDefinition, recordShape } from '../definition/operation.ts';
import { countryOf, withoutChannel } from '../field-types/phone.ts';
import type { Values } from '../input/check-values.ts';
import type { Context } from '../send/perform.ts';
import { type LimitKey, limitLabel, type Spending } from '../settings/spending.ts';
import { numberText, utcText } from '../text/format.ts';
import { minuteText, quietUntil } from '../text/quiet-hours.ts';
import { isSmsText, smsSegments } from '../text/sms-segments.ts';
import type { Connection } from '../wire/connection.ts';
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

/** What is about to be sent, as far as limits are about it. */
interface Sending {
  counts: NonNullable<Action['counts']>;
  /** The field that names the recipient, and its number. */
  recipient?: { label: string; number: string } | undefined;
  /** The texts that are charged as SMS. */
  texts: { label: string; text: string }[];
  /** When it arrives, in milliseconds since 1970, and the field for a later time. */
  at: number;
  later?: Field | undefined;
}

const timeOf = (field: Field | undefined, values: Values) => {
  const time = new Date(String((field && values[field.key]) ?? ''));
  return Number.isNaN(Number(time)) ? Date.now() : Number(time);
};

function checkQuietHours({ quietHours }: Spending, { at, later }: Sending): void {
  const until = quietHours && quietUntil(quietHours, at);
  if (!quietHours || until === undefined) return;
  throw limitReached(
    'quietHours',
    `"${limitLabel('quietHours')}" last until ${minuteText(quietHours.to)} (${quietHours.timeZone}).`,
    { until, ...(later && { advice: `Send it then, or enter a later time in "${later.label}".` }) },
  );
}

function checkCountry({ countries }: Spending, { recipient }: Sending): void {
  if (countries.size === 0 || !recipient) return;
  const { label, number } = recipient;
  const country = countryOf(withoutChannel(number));
  if (country !== undefined && countries.has(country)) return;
  const place = country ? `a number of ${country}` : 'which has no country';
  const allowed = [...countries].join(', ');
  throw limitReached(
    'countries',
    `"${label}" is ${number}, ${place}. "${limitLabel('countries')}" has only ${allowed}.`,
  );
}

function checkLength({ most }: Spending, { texts }: Sending): void {
  const limit = most.mostSegments?.most ?? Number.POSITIVE_INFINITY;
  for (const { label, text } of texts) {
    const { segments } = smsSegments(text);
    if (segments > limit)
      throw limitReached(
        'mostSegments',
        `"${label}" takes ${segments} SMS. "${limitLabel('mostSegments')}" allows ${limit}.`,
      );
  }
}

function seriesOf(
  connection: Connection,
  { most: limits }: Spending,
  { counts, recipient }: Sending,
  isConfirmed: boolean,
) {
  const limitOf = (key: LimitKey) => {
    const { most, isSet = false } = limits[key] ?? {};
    return isSet || !isConfirmed ? most : undefined;
  };
  const counted = (key: LimitKey, name: string): Series => ({ key, name, limit: limitOf(key) });
  if (counts === 'call') return [counted('callsPerHour', seriesNames.callsPerHour)];
  const number = withoutChannel(recipient?.number ?? '');
  const name = seriesNames.perRecipientPerHour(number, connection);
  const toRecipient = counted('perRecipientPerHour', name);
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

function guardOf(connection: Connection, sending: Sending, isConfirmed: boolean): SpendingGuard {
  const { spending } = connection;
  if (!spending) return unlimited;
  const series = seriesOf(connection, spending, sending, isConfirmed);
  let takeBack: (() => Promise<void>) | undefined;
  return {
    async check() {
      if (await spending.isStopped())
        throw limitReached('stopped', `"${limitLabel('stopped')}" is on.`);
      checkCountry(spending, sending);
      checkLength(spending, sending);
      checkQuietHours(spending, sending);
    },
    async count() {
      const taken = await usageOf(connection).take(series);
      if (typeof taken !== 'function') throw reachedError(taken);
      takeBack = taken;
    },
    takeBack: async () => takeBack?.(),
  };
}

const textOf = (field: Field, values: object) => ({
  label: field.label,
  text: String(Reflect.get(values, field.key) ?? ''),
});

/** Returns the guard of an action, which is about to be sent. */
export function spendingGuard(
  { connection, isConfirmed = false }: Context,
  action: Action,
  values: Values,
): SpendingGuard {
  const { counts, fields } = action;
  if (!counts) return unlimited;
  const to = recipientField(action);
  const later = fields.find(({ purpose }) => purpose === 'send-at');
  const sending = {
    counts,
    recipient: to && { label: to.label, number: String(values[to.key] ?? '') },
    texts: fields.filter(isSmsText).map((field) => textOf(field, values)),
    at: timeOf(later, values),
    later,
  };
  return guardOf(connection, sending, isConfirmed);
}

/**
 * Returns the guard of a reply, which the service sends once it gets it.
 *
 * @param values the checked values of its fields
 * @param event what it replies to
 */
export function replyGuard(
  connection: Connection,
  { counts, fields }: EventReply,
  values: Values,
  event: { id: string; record: object },
): SpendingGuard {
  if (!counts) return unlimited;
  const { as, toField = '', toRecord = '', text } = counts;
  const { of } = eventDefinition(event.id).result;
  const field =
    fields.find(({ key }) => key === toField) ??
    recordShape(of).fields.find(({ key }) => key === toRecord);
  const number = values[toField] ?? Reflect.get(event.record, toRecord) ?? '';
  const sending = {
    counts: as,
    recipient: { label: field?.label ?? '', number: String(number) },
    texts: fields.filter(({ key }) => key === text).map((field) => textOf(field, values)),
    at: Date.now(),
  };
  return guardOf(connection, sending, false);
}
