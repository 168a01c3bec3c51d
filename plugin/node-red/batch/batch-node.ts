import { setTimeout } from 'node:timers/promises';
import {
  type Action,
  type Batch,
  type BatchBuilder,
  type Batches,
  type BatchPress,
  type BatchView,
  batchActions,
  batchError,
  batchLimits,
  batchView,
  definitions,
  inEnglish,
  isToPreview,
  type LimitField,
  problemInShort,
  problemsOf,
  progressOf,
  type RowItem,
  readingSentence,
  storeHash,
  TelephonyError,
} from '../../../src/builder.ts';
import { type AccountNode, accountOf } from '../account/account.ts';
import { flowsRun } from '../event/running-flows.ts';
import { serverSay, serverTranslator, type TranslateServer } from '../locale/server-translator.ts';
import { choiceTypes, registerChoice } from '../node/choice-node.ts';
import { fieldProperties } from '../node/field-properties.ts';
import { copyOf, type Incoming } from '../node/handle-message.ts';
import { closeTimeoutMs } from '../node/operation-node.ts';
import type { Source } from '../node/read-input.ts';
import { passToNodeRed } from '../node/report.ts';
import { type Run, Runs } from '../node/runs.ts';
import { editorId, type Message, type NodeRed } from '../node-red.ts';
import { storedProperties } from '../stored-properties.ts';
import { batchMessages, builder, type Command, commandOf } from './batch-message.ts';
import { batchStatus, failedStatus, readingStatus } from './batch-status.ts';
import { batchesOf } from './batch-store.ts';
import { readRows } from './read-rows.ts';

/** The name of a node that runs an action for each row. */
export const batchName = ({ name }: Action) => `${name} for each row`;

/** The switch that stops all sending. */
const [stopLimit] = definitions.settings.limits.filter(({ type }) => type === 'switch') as [
  LimitField,
];

/** The interval between progress messages, in milliseconds. */
const progressMs = 1_000;

/** The batches whose interruption this Node-RED has reported. */
const reported = new Set<string>();

type Fault = TelephonyError | undefined;

/** Whether a batch has ended without running all rows. */
const isLeft = ({ state, counts }: BatchView) =>
  ['ended', 'interrupted'].includes(state) && counts['not-run'] > 0;

/** What a message works on. It may outlive the account's node. */
interface Task {
  account: AccountNode;
  batches: Batches<object>;
  run: Run;
  incoming: Incoming;
}

/** A node and its batches. */
class BatchNode {
  readonly #action: Action;
  readonly #source: Source;
  readonly #t: TranslateServer;
  readonly #runs = new Runs();

  constructor(action: Action, source: Source) {
    this.#t = serverTranslator(source.RED);
    this.#action = action;
    this.#source = source;
  }

  /** A batch belongs to the node that previewed it, as long as that runs the same action. */
  get #owner(): string {
    return `${this.#source.node.id} ${this.#action.id}`;
  }

  #press({ id }: AccountNode): BatchPress<object> {
    const { typed } = this.#source;
    const own = this.#action.fields.map(({ key }) => {
      const { value, type } = fieldProperties(key);
      return [key, typed[value], typed[type]];
    });
    const button = storeHash(this.#owner, JSON.stringify(own));
    return { owner: this.#owner, actionId: this.#action.id, scope: id, button, context: {} };
  }

  async #view(batches: Batches<object>, batch: Batch<object>): Promise<BatchView> {
    const { RED, config } = this.#source;
    const account = () => accountOf(RED, config.account).telephony();
    const limits = await batchLimits(account, this.#action, batch, false);
    return batchView(this.#action, batch, { ...(await batches.previousOf(batch)), limits });
  }

  /** Sends the current state of a batch to the next nodes. */
  async #show(
    { batches, incoming: { message, send } }: Task,
    batch: Batch<object>,
  ): Promise<BatchView> {
    const view = await this.#view(batches, batch);
    this.#source.node.status(batchStatus(this.#action, view, this.#t, serverSay(this.#source.RED)));
    send(batchMessages(this.#source, this.#action, message, batch, view));
    return view;
  }

  /** Returns a function that shows how many rows are read, as often as the progress. */
  #showReading() {
    const say = serverSay(this.#source.RED);
    let shownAt = performance.now();
    return (count: number, all: number) => {
      if (performance.now() - shownAt < progressMs) return;
      shownAt = performance.now();
      this.#source.node.status(readingStatus(say(readingSentence(count, all))));
    };
  }

  async #preview(task: Task): Promise<void> {
    const { account, batches, incoming } = task;
    const press = this.#press(account);
    const { message } = incoming;
    const rows = await readRows(this.#action, this.#source, account, message, this.#showReading());
    const left = await batches.remaining(press, rows);
    const problems = problemsOf(left).map(problemInShort).map(inEnglish);
    if (problems.length > 0 && !isToPreview(left))
      throw new TelephonyError('input', ['Nothing was sent.', ...problems].join('\n'));
    await this.#show(task, await batches.openPreview(press, rows));
  }

  /** The result of a batch has all rows, so its error names a few. */
  #errorOf = (items: RowItem[], texts?: BatchBuilder): Fault =>
    batchError(this.#action, items, texts, problemInShort);

  /** Returns the error of a batch that has ended. */
  async #faultOf(batches: Batches<object>, key: string): Promise<Fault> {
    const { items } = await batches.open(key, this.#owner);
    return this.#errorOf(items, builder);
  }

  /** Runs a batch, sends its progress and result, and resolves to its error. */
  async #start(task: Task, key: string): Promise<Fault> {
    const { account, batches, run } = task;
    const { RED, node, config } = this.#source;
    const batch = await batches.open(key, this.#owner);
    if (batch.state === 'preview' && batch.items.every(({ outcome }) => outcome !== 'waiting')) {
      // A preview would make a flow that starts each preview start it for ever.
      await this.#show(task, { ...batch, state: 'ended' });
      return this.#errorOf(batch.items, builder);
    }
    // Throws on wrong settings, which would otherwise fail every row of the batch.
    account.telephony();
    const end = new AbortController();
    const isStarted = await batches.start(key, this.#owner, {
      action: this.#action,
      open: async () => accountOf(RED, config.account).telephony(),
      isRemoved: () => run.stop.aborted,
      report: (error) => node.warn(String((error as Error).stack ?? error)),
      ended: () => end.abort(),
    });
    let view = await this.#show(task, await batches.open(key, this.#owner));
    if (!isStarted) return isLeft(view) ? this.#faultOf(batches, key) : undefined;
    const signal = AbortSignal.any([end.signal, run.end]);
    while (view.state === 'running' && !run.end.aborted) {
      await setTimeout(progressMs, undefined, { signal }).catch(() => {});
      const batch = await batches.open(key, this.#owner);
      const now = await this.#view(batches, batch);
      const isSame = JSON.stringify(now) === JSON.stringify(view);
      if (!isSame) view = await this.#show(task, batch);
    }
    if (view.state === 'running') return this.#unfinished(view);
    return this.#faultOf(batches, key);
  }

  /** The node has no time left to wait for the rows in progress. */
  #unfinished(view: BatchView): TelephonyError {
    const [ended, all] = progressOf(view);
    const sentence = `${ended} of ${all} rows have an outcome. The others are in progress or not run: send the rows again to check.`;
    return new TelephonyError('unknown-outcome', sentence);
  }

  async #act(task: Task, command: Command): Promise<Fault> {
    const { batches, incoming } = task;
    const { key } = Object(incoming.message.batch);
    if (command === 'stop' && key === undefined) return void this.#runs.stop();
    if (typeof key !== 'string')
      throw new TelephonyError(
        'input',
        `msg.batch.key is missing: it says which batch to ${command}. Send the rows for a preview, and keep its msg.batch in the message.`,
      );
    if (command === 'start') return this.#start(task, key);
    // Throws if the batch doesn't exist.
    const batch = await batches.open(key, this.#owner);
    if (command === 'show') await this.#show(task, batch);
    if (command === 'stop') await batches.stop(key, this.#owner);
    if (command === 'delete') {
      await batches.delete(key, this.#owner);
      this.#source.node.status({});
    }
    return undefined;
  }

  async #carryOut(run: Run, { message, ...rest }: Incoming): Promise<Fault> {
    const { RED, config } = this.#source;
    if (run.stop.aborted) throw new TelephonyError('aborted', 'The node was closed.');
    const incoming = { message: copyOf(RED, message), ...rest };
    const account = accountOf(RED, config.account);
    const task = { account, batches: batchesOf(account.id, RED), run, incoming };
    const command = commandOf(message);
    return command ? this.#act(task, command) : void (await this.#preview(task));
  }

  /** Says that the deploy which ends the batch stops all sending. */
  #stopText(): string {
    const { RED, config } = this.#source;
    const isOn = storedProperties(RED, String(config.account))?.[stopLimit.key] === true;
    return this.#runs.isClosing && isOn ? ` “${stopLimit.label}” is on.` : '';
  }

  /** Adds the node's name to an error, for Catch nodes and the log. */
  #named(error: unknown): Error {
    if (!(error instanceof TelephonyError)) return error as Error;
    const text = `"${batchName(this.#action)}": ${error.message}${this.#stopText()}`;
    return new TelephonyError(error.code, text, error);
  }

  async #handle(run: Run, incoming: Incoming): Promise<void> {
    const { node } = this.#source;
    const fault = await this.#carryOut(run, incoming).catch((error) => {
      node.status(failedStatus(error, this.#t));
      return error as Error;
    });
    if (!fault) return incoming.done();
    const error = this.#named(fault);
    const isLogged = passToNodeRed(error, incoming.done, node);
    if (this.#runs.isClosing && !isLogged) node.warn(error.message);
  }

  receive(incoming: Incoming): void {
    if (incoming.message.reset === true) {
      this.#runs.stop();
      this.#source.node.status({});
      incoming.done();
    } else this.#runs.start((run) => this.#handle(run, incoming));
  }

  async #reportInterrupted(): Promise<void> {
    const { RED, node, config } = this.#source;
    const account = accountOf(RED, config.account);
    const batches = batchesOf(account.id, RED);
    const { batch } = await batches.previous(this.#press(account));
    if (batch?.state !== 'interrupted') return;
    const view = await this.#view(batches, batch);
    node.status(batchStatus(this.#action, view, this.#t, serverSay(this.#source.RED)));
    if (reported.has(batch.key) || !(await flowsRun())) return;
    reported.add(batch.key);
    const summary = this.#errorOf(batch.items)?.message ?? '';
    const sentence = `Node-RED stopped during this batch. Send the rows again to continue. ${summary}`;
    const error = this.#named(new TelephonyError('unknown-outcome', sentence));
    passToNodeRed(error, (fault) => node.error(fault, { batch: { key: batch.key } }), node);
  }

  /** Reports once that Node-RED stopped during the last batch. */
  async reportInterrupted(): Promise<void> {
    try {
      await this.#reportInterrupted();
    } catch (error) {
      // An incoming message reports what is wrong with the account.
      if (!(error instanceof TelephonyError)) this.#source.node.warn(String(error));
    }
  }

  /** Lets messages in progress finish and doesn't run the rest. */
  close = (timeoutMs: number): Promise<void> => this.#runs.close(timeoutMs);
}

/**
 * Registers the node that runs the chosen action for each row of a message. Rows create a preview; a message with the
 * batch's key starts, stops, shows or deletes the batch.
 */
export const registerBatch = (RED: NodeRed) =>
  registerChoice(RED, choiceTypes.rows, batchActions, (node, config, action) => {
    const typed = storedProperties(RED, editorId(node)) ?? config;
    const batches = new BatchNode(action, { RED, node, config, typed });
    node.on('input', (message: Message, send, done) => batches.receive({ message, send, done }));
    node.on('close', (_removed, done) => {
      batches.close(closeTimeoutMs(RED)).then(() => {
        node.status({});
        done();
      });
    });
    void batches.reportInterrupted();
  });
