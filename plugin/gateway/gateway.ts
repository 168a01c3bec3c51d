import {
  type Action,
  Batches,
  changeEntry,
  checkInput,
  connect,
  deliveryLog,
  type EventContext,
  expireWrites,
  isAction,
  isMissing,
  isSenderField,
  type KeyedAnswer,
  keyedActions,
  type LogStore,
  type Operation,
  onceWithin,
  operation,
  operations,
  purgeHourly,
  type RequestReport,
  raiseLimitReached,
  setSettingsLocation,
  storeHash,
  type Telephony,
  TelephonyError,
  type TelephonyEvent,
  type TelephonyRecord,
  withSender,
  withSingleSends,
} from '../../src/builder.ts';
import { EventJournal } from './event-journal.ts';
import { type ApiKey, all, isIn, isKept, type Rights } from './keys.ts';
import type { GatewaySettings } from './settings.ts';
import { openStore } from './store.ts';

setSettingsLocation({ text: "the gateway's settings" });

/** Who calls: the holder of an API key, or the person at whose machine the gateway runs. */
export interface Caller {
  /** Identifies the caller in the store. */
  id: string;
  name: string;
  rights: Rights;
}

/** The person on the command line, whose settings they are, may do everything. */
export const owner: Caller = {
  ...{ id: 'owner', name: 'owner' },
  rights: {
    ...{ read: all, act: all, senders: all, events: all, reply: all, limits: {} },
    ...{ subscribe: true, instructions: true },
  },
};

/** The caller with a key. */
export const callerOf = ({ id, name, rights }: ApiKey): Caller => ({ id, name, rights });

/** The entry that says whether sending is stopped. */
const stop = ['stop sending', 'all'] as const;

/** The longest key of an action. */
export const longestKey = 255;

/** What the rights of a caller don't allow. */
export class NotAllowed extends TelephonyError {}

type Input = Record<string, unknown>;

/** What a door asks of an action. */
export interface ActOptions {
  /** Awaited before an action is sent, with its values. If it rejects, nothing is sent, and the key stays free. */
  consent?: (values: Record<string, string | number>) => Promise<void>;
  /** What happens once, with any API key. Then the key names the attempt: another may follow one that certainly sent nothing. */
  once?: string;
  /** Aborts the action while it waits. A request in progress finishes. */
  waitSignal?: AbortSignal;
}

/** Returns an input as text, in the order of the fields: a repetition may have another order. */
const inputText = (input: Input) =>
  JSON.stringify(Object.entries(input).sort(([one], [other]) => (one < other ? -1 : 1)));

/** What all doors share: the account, the store, and what outlives a process. */
export class Gateway {
  readonly batches: Batches<null>;
  readonly journal: EventJournal;
  readonly deliveries;
  readonly #keyed;
  readonly #telephony = new Map<string, { limits: string; telephony: Telephony }>();
  readonly #kept = onceWithin<boolean>(0);
  readonly #stopPurge: () => void;
  /** Called with each request to the service. */
  onRequest: (report: RequestReport) => void = () => {};

  constructor(
    readonly settings: GatewaySettings,
    readonly store: LogStore,
    private readonly closeStore: () => Promise<void>,
  ) {
    // Settings that are wrong are reported at the start.
    this.telephonyOf(owner);
    this.batches = new Batches<null>(store, { account: () => this.telephonyOf(owner) });
    this.journal = new EventJournal(store);
    this.deliveries = deliveryLog(store);
    this.#keyed = keyedActions<TelephonyRecord>(store);
    this.#stopPurge = purgeHourly(() => this.#purge());
  }

  async #purge(): Promise<void> {
    await this.#keyed.expire();
    await this.batches.expire();
    await this.journal.expire();
    await this.deliveries.expire();
    await expireWrites(this.store);
  }

  /** The account, within the limits of a caller. */
  telephonyOf({ id, rights }: Caller): Telephony {
    const limits = JSON.stringify(rights.limits);
    const known = this.#telephony.get(id);
    if (known?.limits === limits) return known.telephony;
    const { account, spending, limits: technical, publicAddress } = this.settings;
    const telephony = connect({
      ...{ ...account, store: this.store },
      spending: { ...spending, stopped: () => this.isStopped() },
      ...(technical && { limits: technical }),
      ...(id !== owner.id && { caller: { id, limits: rights.limits } }),
      ...(publicAddress && { statusCallback: this.webhookUrl }),
      onLimitReached: (reached) => {
        const onEvent = async (event: TelephonyEvent, context: EventContext) =>
          void (await this.journal.add(event, context));
        void raiseLimitReached(reached, { onEvent, deliveryLog: this.deliveries });
      },
      onRequest: (report) => this.onRequest(report),
    });
    this.#telephony.set(id, { limits, telephony });
    return telephony;
  }

  /** Whether someone has stopped sending, in the settings or on the command line. */
  async isStopped(): Promise<unknown> {
    const { stopped } = this.settings.spending;
    const isSet = isMissing(stopped) ? false : stopped;
    return isSet === false ? ((await this.store.get(...stop))?.value ?? false) : isSet;
  }

  /** Stops sending at once, in all processes, or lets it go on. */
  async setStopped(isStopped: boolean): Promise<void> {
    await changeEntry(this.store, ...stop, () => isStopped);
  }

  /**
   * Checks that the key of a caller still counts. Rows that ask at the same time share an answer.
   *
   * @throws {TelephonyError} with code `unauthorised` if it was revoked
   */
  async assertKept({ id, name }: Pick<Caller, 'id' | 'name'>): Promise<void> {
    // A store that is away says nothing about the key, and a batch sends nothing before it is back.
    const read = () => isKept(this.store, id).catch(() => true);
    if (id !== owner.id && !(await this.#kept(id, read)))
      throw new TelephonyError('unauthorised', `The key "${name}" was revoked.`);
  }

  /** The URL at which the service reports events. */
  get webhookUrl(): string {
    return `${this.settings.publicAddress.replace(/\/+$/, '')}/v1/events/webhook`;
  }

  /** The operations that a caller may use, in the order of the manifest. */
  operationsOf({ rights }: Caller): Operation[] {
    return operations.filter((one) => isIn(isAction(one) ? rights.act : rights.read, one.id));
  }

  /**
   * Returns an operation that a caller may use.
   *
   * @throws {TelephonyError} with code `not-found` if there is none, or a `NotAllowed`
   */
  operationFor(caller: Caller, id: string): Operation {
    const one = operations.find((each) => each.id === id);
    if (!one) throw new TelephonyError('not-found', `There is no operation "${id}".`);
    if (!this.operationsOf(caller).includes(one))
      throw new NotAllowed('input', `The key "${caller.name}" may not use "${one.name}".`);
    return operation(id);
  }

  /**
   * Returns the input of an action with the default sender, if it names none.
   *
   * @throws {NotAllowed} if the caller may not send from its sender, or may not give instructions
   */
  withSender(caller: Caller, action: Action, input: Input): Input {
    const { defaultSender, account } = this.settings;
    const sent = withSender(action, { defaultSender, settings: account }, input);
    const { senders, instructions } = caller.rights;
    for (const { key, label, purpose } of action.fields)
      if (purpose === 'instructions' && !instructions && !isMissing(sent[key]))
        throw new NotAllowed(
          'input',
          `The key "${caller.name}" may not use "${label}", because those instructions can call and message anyone. Nothing was sent.`,
          { field: key },
        );
    if (senders === all) return sent;
    const { cleanPhone } = this.telephonyOf(caller);
    const fields = action.fields.filter(isSenderField);
    const given = fields.filter(({ key }) => !isMissing(sent[key]));
    if (given.length === 0 && fields[0])
      throw new NotAllowed(
        'input',
        `The key "${caller.name}" may only send from ${senders.join(', ')}: name one. Nothing was sent.`,
        { field: fields[0].key },
      );
    for (const { key, label } of given) {
      // An object may have no text.
      const value = typeof sent[key] === 'object' ? JSON.stringify(sent[key]) : String(sent[key]);
      const isAllowed = senders.some((one) => cleanPhone(one) === cleanPhone(value));
      if (!isAllowed)
        throw new NotAllowed(
          'input',
          `The key "${caller.name}" may not send from the "${label}" ${value}. Nothing was sent.`,
          { field: key },
        );
    }
    return sent;
  }

  /**
   * Runs an action once for a key of the caller, in all processes that share the store.
   *
   * @param key a text of the caller's, of at most 255 characters
   * @param input its values by key
   * @throws {TelephonyError} if the action or its input is not allowed; nothing is stored then, and the key stays free
   */
  async act(
    caller: Caller,
    id: string,
    key: string,
    input: Input,
    { consent, once, waitSignal }: ActOptions = {},
  ): Promise<KeyedAnswer<TelephonyRecord>> {
    const action = this.operationFor(caller, id) as Action;
    const sent = this.withSender(caller, action, input);
    // A batch then knows what was sent by itself.
    const telephony = withSingleSends(this.telephonyOf(caller), this.store);
    const values = checkInput(action, sent, telephony.cleanPhone);
    const run = async (sending: (since: Date) => Promise<void>) => {
      await consent?.(values);
      // A moment of its own, so that two equal actions aren't confirmed by the same record.
      const since = new Date((await telephony.now()).getTime() - Math.floor(Math.random() * 1_000));
      const record = await telephony.run(id, sent, {
        lane: caller.id,
        waitSignal,
        beforeSend: () => sending(since),
      });
      return record as TelephonyRecord;
    };
    const own = JSON.stringify([caller.id, key]);
    return this.#keyed.answer(once ?? own, {
      act: run,
      of: storeHash(id, inputText(input), ...(once === undefined ? [] : [own])),
      isReplaceable: once !== undefined,
      ifUnknown: { text: action.ifUnknown },
      find: async (since) => (await telephony.confirm(id, sent, { since })).record,
    });
  }

  /** Stops batches and the store, once what is in flight has finished. */
  async close(): Promise<void> {
    this.#stopPurge();
    await this.batches.close();
    await this.closeStore();
  }
}

/**
 * Opens the account and the store. Makes no request.
 *
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function openGateway(settings: GatewaySettings): Gateway {
  const { store, close } = openStore(settings);
  return new Gateway(settings, store, close);
}
