import {
  type Action,
  type BatchRows,
  numberText,
  planRow,
  planRows,
  type SkipChoice,
  TelephonyError,
  withCountryCodes,
} from '../../../src/builder.ts';
import type { AccountNode } from '../account/account.ts';
import { readLimit } from '../data-source/record-limit.ts';
import { fieldProperties } from '../node/field-properties.ts';
import { readInputs, type Source } from '../node/read-input.ts';
import { withSender } from '../node/with-sender.ts';
import type { FlowConfig, Message } from '../node-red.ts';
import { skipProperties } from './batch-message.ts';

type Row = Record<string, unknown>;

const refused = (sentence: string) => new TelephonyError('input', `${sentence} Nothing was sent.`);

/**
 * Returns the rows of a message.
 *
 * @throws {TelephonyError} if the payload is no array of objects, is empty, or exceeds the node's limit
 */
function rowsOf({ limit }: FlowConfig, { payload }: Message): Row[] {
  const most = readLimit(limit);
  if (most === undefined)
    throw refused(`"Maximum rows" must be a whole number above 0, not “${limit}”.`);
  if (!Array.isArray(payload)) throw refused('msg.payload must be an array of rows.');
  if (payload.length === 0) throw refused('msg.payload has no rows.');
  const empty = payload.findIndex((row) => typeof row !== 'object' || row === null);
  if (empty >= 0) throw refused(`Row ${empty + 1} of msg.payload must be an object.`);
  if (payload.length > most)
    throw refused(
      `There are ${numberText(payload.length)} rows. Raise “Maximum rows” in the node, or filter them.`,
    );
  return payload;
}

/** A value of a row as text; empty if there is none. */
const textIn = (row: Row, property: unknown): string => {
  const value = Object.hasOwn(row, String(property)) ? row[String(property)] : undefined;
  return ['string', 'number'].includes(typeof value) ? String(value).trim() : '';
};

/** The keys of the fields whose values can differ between rows. */
const filledKeys = ({ fields }: Action, config: FlowConfig) =>
  fields.flatMap(({ key }) =>
    ['msg', 'jsonata'].includes(String(config[fieldProperties(key).type])) ? [key] : [],
  );

/** The action's input for a row, or the error. */
async function inputOf(action: Action, source: Source, message: Message, row: Row) {
  try {
    return { input: await readInputs(action, source, { ...message, payload: row }) };
  } catch (error) {
    if (error instanceof TelephonyError) return { error };
    throw error;
  }
}

/** @throws {TelephonyError} if a value is neither true nor false */
function skipChoice(message: Message): SkipChoice {
  const given = Object.entries(skipProperties).flatMap(([choice, property]) => {
    const value = message[property];
    if (value === undefined) return [];
    if (typeof value !== 'boolean') throw refused(`msg.${property} must be true or false.`);
    return [[choice, value]];
  });
  return Object.fromEntries(given);
}

/**
 * Plans a batch. For each row, the node's properties see it as `msg.payload`.
 *
 * @param read gets the number of rows that are read, and of all
 * @throws {TelephonyError} if the message has no rows
 */
export async function readRows(
  action: Action,
  source: Source,
  account: AccountNode,
  message: Message,
  read: (count: number, all: number) => void,
): Promise<BatchRows> {
  const { config, node } = source;
  const { defaultCountry } = account.settings();
  const rows = rowsOf(config, message);
  const plan = async (row: Row) => {
    const key = textIn(row, config.rowKey);
    const { input = {}, error } = await inputOf(action, source, message, row);
    return planRow(action, {
      ...{ row: [node.id, key || null], name: textIn(row, config.rowName) },
      filled: filledKeys(action, config),
      input() {
        if (error) throw error;
        return withCountryCodes(action, withSender(action, input, account), defaultCountry);
      },
    });
  };
  const items = await planRows(rows, plan, (count) => read(count, rows.length));
  const skipsSent = config.skipSent !== false;
  return { items, skipsSent, ...skipChoice(message) };
}
