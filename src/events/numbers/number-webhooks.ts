import { createHash } from 'node:crypto';
import type { Action } from '../../../generated/definition-types.ts';
import { definitions } from '../../../generated/definitions.ts';
import { runAction } from '../../confirm/run-action.ts';
import { listSource, recordShape } from '../../definition/operation.ts';
import { largestPageSize } from '../../list/limit.ts';
import { eachPageOf } from '../../list/list-pages.ts';
import { readRecord, type TelephonyRecord } from '../../response/read-record.ts';
import type { Context } from '../../send/perform.ts';
import { isLoopback, type TelephonySettings } from '../../settings/check-settings.ts';
import { openSecrets, sealSecrets } from '../../settings/seal-secrets.ts';
import { changeEntry, type Store } from '../../store/store.ts';
import type { Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import type { Json } from '../../text/json.ts';
import { parseUrl } from '../../text/parse-url.ts';
import { type Said, sentence } from '../../text/sentence.ts';
import { connectionOf } from '../../wire/connection.ts';
import { eventReader } from '../receive/read-event.ts';
import type { NumberButton, NumberPress, NumbersView, NumberView } from './number-view.ts';

/** An account, and the webhook URL to which its numbers can send their events. */
export interface NumbersAccount {
  telephony: Telephony;
  settings: TelephonySettings;
  authToken?: string | null | undefined;
  /** The builder's webhook URL; empty if the settings have no public URL. */
  url: string;
  /** Keeps the URLs that _Undo_ restores. */
  store: Store;
}

type Webhook = NonNullable<Action['connects']>['webhooks'][number];

/** The URL and method of a webhook at the service. */
interface Target {
  url: string;
  method: string;
}

interface KnownNumber {
  sid: string;
  name: string;
  record: TelephonyRecord;
  /** The targets by the key of the URL, with the credentials that records hide. */
  targets: Record<string, Target>;
}

/** The store's kind of entries with the URLs before a press. */
const kind = 'number-urls';

/** What a number had before a press, by the key of the URL, and the URL that replaced it. */
interface Before {
  url: string;
  targets: Record<string, Target>;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** Compares URLs as the service calls them: without what follows #, which are its own options. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => parseUrl(text.replace(/#.*/s, ''))?.href);
  return first !== undefined && first === second;
}

const isAt = (url: string, target: Target | undefined) =>
  target !== undefined && isSame(target.url, url) && target.method.toUpperCase() === 'POST';

/** How to read and set the webhook URLs of the records that an action connects. */
function connector(action: Action, webhooks: readonly Webhook[]) {
  const path = action.fields.find((field) => field.in === 'path');
  const choices = path?.choices;
  if (!path || !choices) throw new RangeError(`"${action.id}" connects nothing`);
  const source = listSource(choices.source);
  const shape = recordShape(action.result.of);
  const fieldOf = (key: string) => action.fields.find((field) => field.key === key);
  const nameOf = (key: string) => fieldOf(key)?.name ?? key;
  const columnOf = (key: string) => shape.fields.find((field) => field.key === key);
  const labelOf = (key: string) => ({ text: fieldOf(key)?.label ?? columnOf(key)?.label ?? key });

  function read(json: Json): KnownNumber {
    const record = readRecord(shape.id, json);
    const [label, about] = [choices?.label, choices?.about].map((key) => textOf(record[key ?? '']));
    const sentOf = (key: string) => textOf(json[columnOf(key)?.name ?? '']);
    return {
      sid: textOf(record[shape.key]),
      name: about && about !== label ? `${label} (${about})` : String(label),
      record,
      targets: Object.fromEntries(
        webhooks.map(({ url, method }) => [url, { url: sentOf(url), method: sentOf(method) }]),
      ),
    };
  }

  return {
    action,
    async list(context: Context): Promise<KnownNumber[]> {
      const known: KnownNumber[] = [];
      for await (const { records } of eachPageOf(context, source, largestPageSize(source), read))
        known.push(...records);
      return known;
    },
    /** The webhooks that a number can have, and the key of what replaces one. */
    of: ({ record }: KnownNumber) =>
      webhooks
        .filter((one) => one.if === undefined || record[one.if])
        .map((one) => ({ key: one.url, replacedBy: one.unless?.find((key) => record[key]) })),
    labelOf,
    async set(context: Context, sid: string, targets: Record<string, Target>): Promise<void> {
      const pairs = webhooks.flatMap(({ url, method }) => {
        const target = targets[url];
        if (!target) return [];
        const [urlPair, methodPair] = [
          [nameOf(url), target.url],
          [nameOf(method), target.method],
        ];
        return target.method ? [urlPair, methodPair] : [urlPair];
      });
      // As fixed parameters, because restoring an empty URL sends an empty value.
      const request = { ...action.request, fixed: Object.fromEntries(pairs) };
      await runAction(context, { ...action, request }, { [path.key]: sid });
    },
  };
}

type Connector = ReturnType<typeof connector>;

const connectors: Connector[] = definitions.actions.flatMap((action) =>
  action.connects ? [connector(action, action.connects.webhooks)] : [],
);

/** Returns why events can't come to the webhook URL. */
function unusableReason(account: NumbersAccount, origin: string): Said | undefined {
  const { url, settings, authToken } = account;
  if (!url) return sentence('Enter and save the public URL first.');
  const parsed = parseUrl(url);
  if (parsed && isLoopback(parsed) && !isLoopback(new URL(origin)))
    return sentence(
      'The service can’t reach {url}, which is on your machine. Enter a public URL, or poll instead.',
      { url },
    );
  try {
    eventReader(settings, { url, authToken });
    return undefined;
  } catch (error) {
    if (error instanceof TelephonyError) return error.said;
    throw error;
  }
}

const seenOf = (url: string, { targets, record }: KnownNumber) =>
  createHash('sha256')
    .update(JSON.stringify([url, targets, record]))
    .digest('hex')
    .slice(0, 32);

async function openNumbers(account: NumbersAccount) {
  const { telephony, store, url } = account;
  const connection = connectionOf(telephony);
  if (!connection) throw new RangeError('The account was not connected');
  const context: Context = { connection, signal: undefined, waitSignal: undefined };
  const unusable = unusableReason(account, connection.origin);
  // Another password opens no entry, so an account with an API key must not replace that of one with the Auth Token.
  const keyOf = (sid: string) => `${connection.root} ${connection.username} ${sid}`;

  function opened(sid: string, value: unknown): Before | undefined {
    const sealed = textOf(value);
    const before = openSecrets(sealed, connection?.password ?? '', [keyOf(sid)]);
    return before as Before | undefined;
  }

  const beforeOf = async (sid: string) => opened(sid, (await store.get(kind, keyOf(sid)))?.value);

  /** What _Undo_ restores: the URLs that still are as a press has set them. */
  async function restorable({ sid, targets }: KnownNumber) {
    const before = await beforeOf(sid);
    const kept = Object.entries(before?.targets ?? {}).filter(([key]) =>
      isAt(before?.url ?? '', targets[key]),
    );
    return Object.fromEntries(kept);
  }

  const toConnect = (one: Connector, number: KnownNumber) =>
    one
      .of(number)
      .filter(({ key, replacedBy }) => !replacedBy && !isAt(url, number.targets[key]))
      .map(({ key }) => key);

  function line(one: Connector, number: KnownNumber, key: string, replacedBy?: string): Said {
    const label = one.labelOf(key);
    const { [key]: shown } = number.record;
    if (replacedBy)
      return sentence('{label}: not used, because of {other} {value}', {
        ...{ label, other: one.labelOf(replacedBy), value: textOf(number.record[replacedBy]) },
      });
    if (url && isAt(url, number.targets[key])) return sentence('{label}: here', { label });
    if (!shown) return sentence('{label}: none', { label });
    return sentence('{label}: {value}', { label, value: textOf(shown) });
  }

  async function view(one: Connector, number: KnownNumber): Promise<NumberView> {
    const keys = toConnect(one, number);
    const replaced = keys.filter((key) => number.targets[key]?.url);
    const asks = sentence('Replace these URLs of {name}? {urls}', {
      name: number.name,
      urls: replaced.map((key) => line(one, number, key)),
    });
    const buttons: NumberButton[] = [];
    if (keys.length > 0 && !unusable)
      buttons.push({
        ...{ press: 'connect', label: sentence('Send events here') },
        ...(replaced.length > 0 && { asks }),
      });
    if (Object.keys(await restorable(number)).length > 0)
      buttons.push({ press: 'undo', label: sentence('Undo') });
    return {
      ...{ sid: number.sid, name: number.name, seen: seenOf(url, number), buttons },
      lines: one.of(number).map(({ key, replacedBy }) => line(one, number, key, replacedBy)),
    };
  }

  /** Stores what a press replaces, before it does. What an earlier press replaced stays. */
  async function remember({ sid, targets }: KnownNumber, keys: string[]) {
    await changeEntry(store, kind, keyOf(sid), (value) => {
      const earlier = opened(sid, value);
      const first = (key: string) =>
        (isAt(earlier?.url ?? '', targets[key]) && earlier?.targets[key]) || targets[key];
      const kept = Object.fromEntries(keys.map((key) => [key, first(key)]));
      const others = earlier && isSame(earlier.url, url) ? earlier.targets : {};
      const before = { url, targets: { ...others, ...kept } };
      return sealSecrets(before, connection?.password ?? '', [keyOf(sid)]);
    });
  }

  async function press({ sid, press: pressed, seen }: NumberPress): Promise<Said> {
    for (const one of connectors) {
      const number = (await one.list(context)).find((each) => each.sid === sid);
      if (!number) continue;
      const { name } = number;
      if (seenOf(url, number) !== seen)
        throw new TelephonyError(
          'input',
          sentence(
            'The URLs of {name} have changed meanwhile, so nothing was done. Look at them, and try again.',
            { name },
          ),
        );
      if (pressed === 'undo') {
        await one.set(context, sid, await restorable(number));
        return sentence('Restored the URLs of {name}.', { name });
      }
      if (unusable) throw new TelephonyError('settings', unusable);
      const keys = toConnect(one, number);
      await remember(number, keys);
      const here = { url, method: 'POST' };
      await one.set(context, sid, Object.fromEntries(keys.map((key) => [key, here])));
      return sentence('{name} now sends its events here.', { name });
    }
    throw new TelephonyError('input', sentence('The account has no number {sid}.', { sid }));
  }

  async function list(): Promise<NumbersView> {
    const views: NumberView[] = [];
    for (const one of connectors)
      for (const number of await one.list(context)) views.push(await view(one, number));
    if (views.length === 0)
      return { numbers: [], problem: sentence('The account has no numbers.') };
    return { numbers: views, ...(unusable && { problem: unusable }) };
  }

  return { list, press };
}

/**
 * Lists the numbers of an account with where their SMS and calls go, and presses a button of one of them first. What goes wrong is the
 * `problem` of the result. Costs a request for each page of numbers; a press costs it twice, and one more.
 *
 * @param open opens the account
 * @param pressed the press; undefined only to list
 */
export async function numberWebhooks(
  open: () => Promise<NumbersAccount> | NumbersAccount,
  pressed?: NumberPress,
): Promise<NumbersView> {
  try {
    const numbers = await openNumbers(await open());
    if (!pressed) return await numbers.list();
    try {
      const done = await numbers.press(pressed);
      return { ...(await numbers.list()), done };
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error;
      return { ...(await numbers.list()), problem: error.said };
    }
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { numbers: [], problem: error.said };
  }
}
