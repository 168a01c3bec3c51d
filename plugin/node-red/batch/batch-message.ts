import {
  type Action,
  type Batch,
  type BatchBuilder,
  type BatchView,
  batchPart,
  batchText,
  countsByWord,
  inEnglish,
  outcomeWord,
  type RowItem,
  type Say,
  type SkipChoice,
  sentence,
  skipReason,
} from '../../../src/builder.ts';
import { serverSay } from '../locale/server-translator.ts';
import type { Source } from '../node/read-input.ts';
import type { FlowConfig, Message } from '../node-red.ts';

const skipped = sentence(
  'They are skipped. To include them, send the rows again with msg.skipChanged set to false.',
);
const included = sentence('To skip them, send the rows again with msg.skipChanged set to true.');

/** What Node-RED says in its own words. */
export const builder: BatchBuilder = {
  ...{ name: 'Node-RED', isText: true },
  toContinue: sentence('To continue, send the rows again and start the new preview.'),
  toRepeat: ({ name }) =>
    sentence('use a “{name}” node for it, not “{name} for each row”', { name: { text: name } }),
  skips: {
    skipsSent: [
      sentence(
        'They are skipped. To send it to them again, send the rows again with msg.skipSent set to false.',
      ),
      sentence('They get it again.'),
    ],
    skipsChanged: [skipped, included],
    skipsSentSingly: [skipped, included],
  },
};

/** The outputs of the node, in order. */
export const outputs = ['preview', 'progress', 'result'] as const;

const outputOf: Record<BatchView['state'], (typeof outputs)[number]> = {
  preview: 'preview',
  running: 'progress',
  interrupted: 'result',
  ended: 'result',
};

/** The commands for a batch. A message gives one by setting the property of this name to `true`. */
export const commands = ['start', 'stop', 'show', 'delete'] as const;
export type Command = (typeof commands)[number];

/** The properties of a message with rows that say whether to skip those of earlier batches. */
export const skipProperties = {
  skipsSent: 'skipSent',
  skipsChanged: 'skipChanged',
  skipsSentSingly: 'skipChanged',
} as const satisfies Record<keyof SkipChoice, keyof Message>;

/** The command in a message; undefined if the message has rows. */
export const commandOf = (message: Message): Command | undefined =>
  commands.find((command) => message[command] === true);

const counts = (action: Action, of: BatchView['counts']) =>
  Object.fromEntries(countsByWord(action, of));

/** The key of a row; empty if it has none. */
const keyOf = ({ row }: RowItem): string => (row ? JSON.parse(row)[1] : undefined) ?? '';

/** Says how many rows are recognised without a key; empty if none. */
function keylessText(items: RowItem[], rowKey: unknown, say: Say): string {
  const count = items.filter((item) => item.row && !keyOf(item)).length;
  if (!rowKey || count === 0) return '';
  const keyless = sentence(
    '{count, plural, one {# row has} other {# rows have}} no “{property}” (Row key), so the plugin recognises {count, plural, one {it by its} other {them by their}} recipient.',
    { count, property: String(rowKey) },
  );
  return `\n${say(keyless)}`;
}

/** A row and its outcome. */
function rowOf(action: Action, item: RowItem) {
  const { who, message, sid, isRepeated, isChanged, isSentSingly } = item;
  const key = keyOf(item);
  const reason = message ?? skipReason(item);
  return {
    ...(key && { key }),
    who,
    outcome: outcomeWord(action, item),
    ...(reason && { message: inEnglish(reason) }),
    ...(sid && { sid }),
    ...(isRepeated && { repeated: true }),
    ...(isChanged && { changed: true }),
    ...(isSentSingly && { sentSingly: true }),
  };
}

/** The payload that describes a batch. */
function batchPayload(
  action: Action,
  { rowKey }: FlowConfig,
  { items }: Batch<object>,
  view: BatchView,
  say: Say,
) {
  const part = batchPart(action, view, builder);
  const label = part.buttons.find(({ id }) => id === 'start')?.label;
  const { state, cost, example, previous, alreadySent, repeated, changed, sentSingly } = view;
  return {
    state,
    text: batchText(part, say) + (state === 'preview' ? keylessText(items, rowKey, say) : ''),
    counts: counts(action, view.counts),
    ...(state === 'preview' && {
      ...(label && { label: say(label) }),
      ...(cost && { cost, example }),
      ...(alreadySent && { alreadySent }),
      ...(repeated && { repeated }),
      ...(changed && { changed }),
      ...(sentSingly && { sentSingly }),
      ...(previous && { previous: { ...previous, counts: counts(action, previous.counts) } }),
    }),
    ...(state !== 'running' && { rows: items.map((item) => rowOf(action, item)) }),
  };
}

/**
 * Returns one message for each output; only the output for the batch's state gets one.
 *
 * @param incoming the incoming message; its command and choice are removed, so that a loop does not repeat them
 */
export function batchMessages(
  { RED, config }: Source,
  action: Action,
  incoming: Message,
  batch: Batch<object>,
  view: BatchView,
): (Message | null)[] {
  const message: Message = {
    ...RED.util.cloneMessage(incoming),
    ...{
      batch: { key: view.key },
      payload: batchPayload(action, config, batch, view, serverSay(RED)),
    },
  };
  for (const property of [...commands, ...Object.values(skipProperties)]) delete message[property];
  return outputs.map((output) => (output === outputOf[view.state] ? message : null));
}
