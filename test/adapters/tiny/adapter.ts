import {
  type Action,
  aboutValues,
  actionOf,
  type Batch,
  type BatchBuilder,
  Batches,
  batchPart,
  batchText,
  batchView,
  clicks,
  connect,
  deliveryLog,
  doneSentence,
  fieldParts,
  filledIn,
  filledKeys,
  inEnglish,
  isAction,
  nodeHandler,
  type Operation,
  openSecrets,
  operation,
  pickLimits,
  pickSettings,
  planRow,
  planRows,
  type ReceiveEvent,
  raiseLimitReached,
  receiveEvents,
  sealSecrets,
  sendMedia,
  sentence,
  settingsWithStoredSecrets,
  storeHash,
  type Telephony,
  TelephonyError,
  type TelephonyEvent,
  testSettings,
  withSender,
} from '../../../src/builder.ts';
import type { Form, Tiny, TinyPlugin } from './tiny-plugin.ts';

const owner = 'admin';
/** Tiny has one account and no tenants. */
const secretsOwner = ['tiny'];
const eventPath = '/telephony/events';
const builder: BatchBuilder = {
  ...{ name: 'Tiny', isText: true },
  toContinue: sentence('To continue, press the button again.'),
  toRepeat: () => sentence('send it alone'),
};

const refused = (sentence: string) => new TelephonyError('input', `${sentence} Nothing was sent.`);

/** The account of the settings, which are stored encrypted together: the secrets are for their host. */
class Account {
  readonly #tiny: Tiny;
  readonly received: TelephonyEvent[] = [];
  readonly deliver = (event: TelephonyEvent) => void this.received.push(event);
  #connected?: { version: string; telephony: Telephony };

  constructor(tiny: Tiny) {
    this.#tiny = tiny;
  }

  async #stored() {
    const { value = '', version = '' } = (await this.#tiny.store.get('settings', 'account')) ?? {};
    return { version, settings: openSecrets(String(value), this.#tiny.key, secretsOwner) ?? {} };
  }

  settings = async () => (await this.#stored()).settings;

  async save(typed: Form): Promise<string> {
    const settings = settingsWithStoredSecrets(typed, await this.settings());
    const value = sealSecrets({ ...settings, ...pickLimits(typed) }, this.#tiny.key, secretsOwner);
    await this.#tiny.store.expire('settings', Date.now() + 1);
    await this.#tiny.store.insert('settings', { key: 'account', value });
    return 'Saved.';
  }

  async telephony(): Promise<Telephony> {
    const { version, settings } = await this.#stored();
    if (this.#connected?.version !== version)
      this.#connected = {
        version,
        telephony: connect({
          ...pickSettings(settings),
          spending: {
            ...pickLimits(settings),
            stopped: async () => pickLimits(await this.settings()).stopped ?? false,
          },
          onLimitReached: (reached) =>
            raiseLimitReached(reached, {
              ...{ deliveryLog: deliveryLog(this.#tiny.store), onEvent: this.deliver },
            }),
          store: this.#tiny.store,
        }),
      };
    return this.#connected.telephony;
  }
}

/** The input of an operation: the values of a form, with the columns of a row filled in. */
const inputOf = (settings: object, one: Operation, form: unknown, row: unknown) =>
  withSender(one, { settings, defaultSender: '' }, filledIn(fieldParts(one, form), Object(row)));

/** The rows that a page shows. With a filter, only those that have its value. */
function chosenRows({ rows }: Tiny, { shown, where }: Form): Tiny['rows'] {
  const keys = Array.isArray(shown) ? shown : [];
  const filter = where === undefined ? [] : where;
  if (!Array.isArray(filter)) throw refused('The filter is not understood.');
  for (const { column, is } of filter) {
    if (!rows.some((row) => Object.hasOwn(row, column)))
      throw refused(`No row has a column “${column}”.`);
    if (typeof is !== 'string' || is === '') throw refused(`The filter of “${column}” is empty.`);
  }
  const chosen = rows.filter(
    (row) => keys.includes(row.id) && filter.every(({ column, is }) => row[column] === is),
  );
  if (chosen.length === 0) throw refused('No row matches.');
  return chosen;
}

/** Adds the plugin to Tiny: a list, an action, an event, and a batch. */
export function telephonyForTiny(tiny: Tiny): TinyPlugin {
  const { store, log } = tiny;
  const account = new Account(tiny);
  const once = clicks<string>(store);
  const batches = new Batches<object>(store);
  let receiver: ReceiveEvent | undefined;

  async function act(action: Action, form: unknown, row: unknown, logs = false): Promise<string> {
    const input = inputOf(await account.settings(), action, form, row);
    try {
      const record = await (await account.telephony()).run(action.id, input);
      return doneSentence(action, Object(record));
    } catch (error) {
      if (logs) log(`${action.name} (${aboutValues(action, input)}): ${(error as Error).message}`);
      throw error;
    }
  }

  const opened = (key: unknown) => batches.open(String(key), owner);

  async function seen(batch: Batch<object>) {
    const action = actionOf(batch.actionId);
    const view = batchView(action, batch, await batches.previousOf(batch));
    const part = batchPart(action, view, builder);
    const label = part.buttons.find(({ id }) => id === 'start')?.label ?? '';
    return {
      ...{ key: view.key, state: view.state, label: inEnglish(label) },
      text: batchText(part),
    };
  }

  async function openPreview(form: Form) {
    const action = actionOf(String(form.action));
    const settings = await account.settings();
    const items = await planRows(chosenRows(tiny, form), (row) =>
      planRow(action, {
        ...{ row: ['rows', row.id], name: String(row.name ?? '') },
        filled: filledKeys(fieldParts(action, form.form)),
        input: () => inputOf(settings, action, form.form, row),
      }),
    );
    const button = storeHash(JSON.stringify([form.action, form.form, form.where]));
    const press = { owner, actionId: action.id, button, context: {} };
    const rows = { items, skipsSent: form.skipsSent !== false };
    return seen(await batches.openPreview(press, rows));
  }

  async function start(key: string) {
    const { actionId } = await opened(key);
    await batches.start(key, owner, {
      action: actionOf(actionId),
      open: () => account.telephony(),
      report: (error) => log(String(error)),
    });
    return seen(await opened(key));
  }

  async function stop(key: string) {
    await batches.stop(key, owner);
    return seen(await opened(key));
  }

  async function receive(...exchange: Parameters<ReturnType<typeof nodeHandler>>) {
    receiver ??= receiveEvents(pickSettings(await account.settings()), {
      ...{ url: tiny.url + eventPath, deliveryLog: deliveryLog(store) },
      telephony: () => account.telephony(),
      onEvent: account.deliver,
    });
    return nodeHandler(receiver)(...exchange);
  }

  return {
    forms: {
      '/save': (form) => account.save(form),
      '/test': async (form) => (await testSettings(form, await account.settings())).message,
      '/list': async ({ list, form, row }) => {
        const one = operation(String(list));
        if (isAction(one)) throw refused(`“${one.name}” is not a list.`);
        const input = inputOf(await account.settings(), one, form, row);
        return (await account.telephony()).run(one.id, input);
      },
      '/press': ({ action, form, row }) =>
        once.once(storeHash(owner, JSON.stringify([action, form, row])), () =>
          act(actionOf(String(action)), form, row),
        ),
      '/unattended': async ({ action, form }) =>
        void act(actionOf(String(action)), form, {}, true).catch(() => {}),
      '/preview': openPreview,
      '/start': ({ key }) => start(String(key)),
      '/stop': ({ key }) => stop(String(key)),
      '/see': async ({ key }) => seen(await opened(key)),
      '/events': async () => account.received,
    },
    routes: {
      '/media': (request, response) => {
        const [, shape = '', key = ''] = /\?(.*)\/(.*)/.exec(request.url ?? '') ?? [];
        return sendMedia(request, response, async (options) =>
          (await account.telephony()).media(shape, key, options),
        );
      },
    },
    publicRoutes: { [eventPath]: receive },
  };
}
