import type { Action, EventReply, Field } from '../../generated/definition-types.ts';
import { notify } from '../async/notify.ts';
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
export interface Sending {
  /** The name of the action or the reply. */
  name: string;
  counts: NonNullable<Action['counts']>;
  /** The field that names the recipient, and its number. */
  recipient?: { label: string; number: string } | undefined;
  /** The texts that are charged as SMS. */
  texts: { label: string; text: string }[];
  /** When it arrives, in milliseconds since 1970, and the field for a later time. */
  at: number;
  later?: Field | undefined;
}

const timeOf = (field: Field | undefined, values: object) => {
  const time = new Date(String((field && Reflect.get(values, field.key)) ?? ''));
  return Number.isNaN(Number(time)) ? Date.now() : Number(time);
};

/** Returns when the quiet hours end in which something would arrive, in milliseconds since 1970; undefined if it wouldn't. */
export const quietEnd = ({ quietHours }: Spending, { at }: Sending): number | undefined =>
  quietHours && quietUntil(quietHours, at);

function checkQuietHours(spending: Spending, sending: Sending): void {
  const until = quietEnd(spending, sending);
  const { quietHours } = spending;
  if (!quietHours || until === undefined) return;
  const { later } = sending;
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

/** Returns the first text that takes more SMS than a limit allows; undefined if there is none. */
export function tooLongText({ most }: Spending, { texts }: Sending) {
  const limit = most.mostSegments?.most;
  if (limit === undefined) return undefined;
  return texts
    .map(({ label, text }) => ({ label, limit, ...smsSegments(text) }))
    .find(({ segments }) => segments > limit);
}

function checkLength(spending: Spending, sending: Sending): void {
  const found = tooLongText(spending, sending);
  if (!found) return;
  const { label, segments, limit } = found;
  throw limitReached(
    'mostSegments',
    `"${label}" takes ${segments} SMS. "${limitLabel('mostSegments')}" allows ${limit}.`,
  );
}

/** Returns how many a limit allows; undefined if it doesn't apply. Defaults don't apply to what a person has confirmed. */
export function mostOf({ most }: Spending, key: LimitKey, isConfirmed: boolean) {
  const known = most[key];
  return known?.isSet || !isConfirmed ? known?.most : undefined;
}

function seriesOf(
  connection: Connection,
  spending: Spending,
  { counts, recipient }: Sending,
  isConfirmed: boolean,
) {
  const counted = (key: LimitKey, name: string): Series => ({
    ...{ key, name, limit: mostOf(spending, key, isConfirmed) },
  });
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
  // The labels of the others name the window.
  const most = `${numberText(limit)}${key === 'perRecipientPerHour' ? ' an hour' : ''}`;
  const sentence = `The limit "${limitLabel(key)}" (${most}) is reached.`;
  return limitReached(key, sentence, {
    until,
    advice: `You can send again at ${utcText(new Date(until))}.`,
  });
}

/** Tells the app of a limit that is reached. It must not delay the refusal. */
function report(
  { onLimitReached, accountSid }: Connection,
  { series: { key, limit = 0 }, until, isFirst }: Reached,
  { name, message }: { name: string; message: string },
) {
  if (!isFirst) return;
  const reached = { limit: key, most: limit, until: new Date(until), action: name, message };
  notify(onLimitReached, { ...reached, accountSid });
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
      if (typeof taken !== 'function') {
        const error = reachedError(taken);
        report(connection, taken, { name: sending.name, message: error.message });
        throw error;
      }
      takeBack = taken;
    },
    takeBack: async () => takeBack?.(),
  };
}

const textOf = (field: Field, values: object) => ({
  label: field.label,
  text: String(Reflect.get(values, field.key) ?? ''),
});

/** Returns what an action would send; undefined if limits aren't about it. */
export function sendingOf(
  action: Action,
  values: Readonly<Record<string, unknown>>,
): Sending | undefined {
  const { name, counts, fields } = action;
  if (!counts) return undefined;
  const to = recipientField(action);
  const later = fields.find(({ purpose }) => purpose === 'send-at');
  return {
    ...{ name, counts },
    recipient: to && { label: to.label, number: String(values[to.key] ?? '') },
    texts: fields.filter(isSmsText).map((field) => textOf(field, values)),
    at: timeOf(later, values),
    later,
  };
}

/** Returns the guard of an action, which is about to be sent. */
export function spendingGuard(
  { connection, isConfirmed = false }: Context,
  action: Action,
  values: Values,
): SpendingGuard {
  const sending = sendingOf(action, values);
  return sending ? guardOf(connection, sending, isConfirmed) : unlimited;
}

/**
 * Returns the guard of a reply, which the service sends once it gets it.
 *
 * @param values the checked values of its fields
 * @param event what it replies to
 */
export function replyGuard(
  connection: Connection,
  { name, counts, fields }: EventReply,
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
    ...{ name, counts: as },
    recipient: { label: field?.label ?? '', number: String(number) },
    texts: fields.filter(({ key }) => key === text).map((field) => textOf(field, values)),
    at: Date.now(),
  };
  return guardOf(connection, sending, false);
}
