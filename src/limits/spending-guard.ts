import type { Action, EventReply, Field } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { notify } from '../async/notify.ts';
import { oncePer } from '../async/once.ts';
import { laterField, recipientField } from '../definition/fields.ts';
import { eventDefinition, recordShape } from '../definition/operation.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { countryOf, withoutChannel } from '../field-types/phone.ts';
import { isMissing, type Values } from '../input/check-values.ts';
import type { Context } from '../send/perform.ts';
import { type LimitKey, limitLabel, type Spending } from '../settings/spending.ts';
import { minuteText, type QuietHours, quietUntil } from '../text/quiet-hours.ts';
import { type Said, type Sentence, sentence } from '../text/sentence.ts';
import { isSmsText, smsSegments } from '../text/sms-segments.ts';
import type { Connection } from '../wire/connection.ts';
import { limitReached } from './limit-reached.ts';
import { type Reached, type Series, seriesNames, usageOf } from './usage.ts';

/** Keeps one action within the limits of its account. */
export interface SpendingGuard {
  /**
   * Rejects with code `limit-reached` if the action may not be sent, however many were sent before.
   *
   * @param moved the values with which another guard has scheduled it
   * @returns values to send in addition: those that schedule it for the end of the quiet hours
   */
  check(moved?: Values): Promise<Values>;
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
  check: async () => ({}),
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
  /** The field for a later time, and that time if it has one, in milliseconds since 1970. */
  later?: Field | undefined;
  at?: number | undefined;
  /** The labels of the fields without which the service doesn't send it later. */
  missing: string[];
}

const timeOf = (field: Field | undefined, values: object) => {
  const time = Date.parse(String((field && Reflect.get(values, field.key)) ?? ''));
  return Number.isNaN(time) ? undefined : time;
};

const [minuteMs, dayMs] = [60_000, 86_400_000];

/** The request takes a moment. After that, the time must still be as far ahead as the service demands. */
const marginMs = 60_000;

/** The quiet hours in which something would arrive. */
interface Quiet {
  /** When they end, in milliseconds since 1970. */
  until: number;
  /** When to send it instead; undefined if it is refused. */
  instead?: number | undefined;
}

/** Returns when to send something at the end of the quiet hours; undefined if that is impossible. */
function timeInstead(
  { clock }: Connection,
  quietHours: QuietHours,
  { later, at, missing }: Sending,
  until: number,
): number | undefined {
  const { schedule } = later ?? {};
  const now = clock.at(performance.now())?.latest ?? Date.now();
  // A time that is over is a mistake, which isn't to become a message.
  if (!schedule || missing.length > 0 || (at !== undefined && at < now)) return undefined;
  const earliest = Math.max(until, now + schedule.minMinutes * minuteMs + marginMs);
  const time = quietUntil(quietHours, earliest) ?? earliest;
  return time > now + schedule.maxDays * dayMs ? undefined : time;
}

/** Returns the quiet hours in which something would arrive; undefined if it wouldn't. */
export function quietOf(connection: Connection, sending: Sending): Quiet | undefined {
  const { quietHours, inQuietHours } = connection.spending ?? {};
  const until = quietHours && quietUntil(quietHours, sending.at ?? Date.now());
  if (!quietHours || until === undefined) return undefined;
  return inQuietHours === 'send-later'
    ? { until, instead: timeInstead(connection, quietHours, sending, until) }
    : { until };
}

/** The label of a limit, in the language of a person. */
const nameOf = (key: LimitKey): Sentence => ({ text: limitLabel(key) });

const quoted = (labels: string[]): Said =>
  labels.map((text) => sentence('"{label}"', { label: { text } }));

/** Says how a message in the quiet hours can be sent later. */
function adviceOn(
  { inQuietHours }: Spending,
  { counts, later, missing }: Sending,
): Sentence | undefined {
  if (inQuietHours === 'send-later' && missing.length > 0)
    return sentence('To send it when they end, fill in {fields}.', { fields: quoted(missing) });
  if (later)
    return sentence('Send it then, or enter a later time in "{label}".', {
      label: { text: later.label },
    });
  const other = definitions.actions.find(
    (action: Action) => action.counts === counts && laterField(action),
  );
  return inQuietHours === 'send-later' && other
    ? sentence('To send it when they end, use "{name}" with {fields}.', {
        ...{ name: { text: other.name }, fields: quoted(missingIn(other, {})) },
      })
    : undefined;
}

/** @returns the values that schedule it for their end */
function checkQuietHours(connection: Connection, spending: Spending, sending: Sending): Values {
  const { until, instead } = quietOf(connection, sending) ?? {};
  const { quietHours } = spending;
  const { key = '', schedule } = sending.later ?? {};
  if (!quietHours || until === undefined) return {};
  if (instead !== undefined)
    return { ...schedule?.with, [key]: String(fieldTypes.date.clean(new Date(instead))) };
  throw limitReached(
    'quietHours',
    sentence('"{limit}" last until {until} ({zone}).', {
      ...{ limit: nameOf('quietHours'), until: minuteText(quietHours.to) },
      zone: quietHours.timeZone,
    }),
    { until, advice: adviceOn(spending, sending) },
  );
}

function checkCountry({ countries }: Spending, { recipient }: Sending): void {
  if (countries.size === 0 || !recipient) return;
  const { label, number } = recipient;
  const country = countryOf(withoutChannel(number));
  if (country !== undefined && countries.has(country)) return;
  const values = {
    ...{ label: { text: label }, number, limit: nameOf('countries') },
    allowed: [...countries],
  };
  throw limitReached(
    'countries',
    country
      ? sentence('"{label}" is {number}, a number of {country}. "{limit}" has only {allowed}.', {
          ...values,
          country,
        })
      : sentence(
          '"{label}" is {number}, which has no country. "{limit}" has only {allowed}.',
          values,
        ),
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
    sentence('"{label}" takes {count} SMS. "{limit}" allows {most}.', {
      ...{ label: { text: label }, count: segments },
      ...{ limit: nameOf('mostSegments'), most: limit },
    }),
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
  /** What a person has confirmed doesn't use up a limit that no one set: it would refuse everything else for an hour. */
  const countedTwice = (key: LimitKey, name: string): Series[] => {
    if (spending.most[key]?.isSet) return [counted(key, name)];
    const all = { key, name };
    return isConfirmed ? [all] : [all, counted(key, seriesNames.unconfirmed(name))];
  };
  if (counts === 'call') return countedTwice('callsPerHour', seriesNames.callsPerHour);
  const number = withoutChannel(recipient?.number ?? '');
  const name = seriesNames.perRecipientPerHour(number, connection);
  const toRecipient = counted('perRecipientPerHour', name);
  return [
    ...countedTwice('perHour', seriesNames.perHour),
    counted('perDay', seriesNames.perDay),
    // A confirmed batch has no limit for recipients, and needs not one count for each.
    ...(toRecipient.limit === undefined ? [] : [toRecipient]),
  ];
}

function reachedError({ series: { key, limit = 0 }, until }: Reached) {
  const values = { limit: nameOf(key), most: limit };
  // The labels of the others name the window.
  const reached =
    key === 'perRecipientPerHour'
      ? sentence('The limit "{limit}" ({most} an hour) is reached.', values)
      : sentence('The limit "{limit}" ({most}) is reached.', values);
  const advice = sentence('You can send again at {until}.', { until: new Date(until) });
  return limitReached(key, reached, { until, advice });
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
    async check(moved = {}) {
      if (await spending.isStopped())
        throw limitReached('stopped', sentence('"{limit}" is on.', { limit: nameOf('stopped') }));
      checkCountry(spending, sending);
      checkLength(spending, sending);
      const at = timeOf(sending.later, moved) ?? sending.at;
      return checkQuietHours(connection, spending, { ...sending, at });
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

/** The connection whose usage and limits are those of the caller. */
const callerConnection = oncePer((connection: Connection): Connection => {
  const { root, caller } = connection;
  const own = { root: `${root} ${caller?.id}`, spending: caller?.spending };
  return { ...connection, ...own, onLimitReached: undefined };
});

/** Keeps an action within two limits. What one of them refuses isn't counted by the other. */
const both = (one: SpendingGuard, other: SpendingGuard): SpendingGuard => ({
  async check() {
    // What one of them moves can get into the quiet hours of the other.
    for (let values: Values = {}; ; ) {
      values = { ...values, ...(await one.check(values)) };
      const moved = await other.check(values);
      if (Object.keys(moved).length === 0) return values;
      values = { ...values, ...moved };
    }
  },
  async count() {
    await one.count();
    try {
      await other.count();
    } catch (error) {
      await one.takeBack().catch(() => {});
      throw error;
    }
  },
  async takeBack() {
    await one.takeBack();
    await other.takeBack();
  },
});

const textOf = (field: Field, values: object) => ({
  label: field.label,
  text: String(Reflect.get(values, field.key) ?? ''),
});

/** Returns the labels of the fields without which an action can't be sent later. */
function missingIn(action: Action, values: object): string[] {
  const { needs = [], schedule } = laterField(action) ?? {};
  const missing = needs.filter(
    (key) => !Object.hasOwn(schedule?.with ?? {}, key) && isMissing(Reflect.get(values, key)),
  );
  return action.fields.filter(({ key }) => missing.includes(key)).map(({ label }) => label);
}

/** Returns what an action would send; undefined if limits aren't about it. */
export function sendingOf(
  action: Action,
  values: Readonly<Record<string, unknown>>,
): Sending | undefined {
  const { name, counts, fields } = action;
  if (!counts) return undefined;
  const to = recipientField(action);
  const later = laterField(action);
  return {
    ...{ name, counts },
    recipient: to && { label: to.label, number: String(values[to.key] ?? '') },
    texts: fields.filter(isSmsText).map((field) => textOf(field, values)),
    ...{ later, at: timeOf(later, values), missing: missingIn(action, values) },
  };
}

/** Returns the guard of an account, and of its caller if it has one. */
function guardWithCaller(connection: Connection, sending: Sending, isConfirmed: boolean) {
  const guard = guardOf(connection, sending, isConfirmed);
  return connection.caller
    ? both(guardOf(callerConnection(connection), sending, false), guard)
    : guard;
}

/** Returns the guard of an action, which is about to be sent. */
export function spendingGuard(
  { connection, isConfirmed = false }: Context,
  action: Action,
  values: Values,
): SpendingGuard {
  const sending = sendingOf(action, values);
  if (!sending) return unlimited;
  return guardWithCaller(connection, sending, isConfirmed);
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
    missing: [],
  };
  return guardWithCaller(connection, sending, false);
}
