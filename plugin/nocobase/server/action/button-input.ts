import { type Action, isMissing, isSenderField, type Part } from '../../../../src/builder.ts';
import { type ButtonKind, clickFlow, clickStep, modelName } from '../../button-models.ts';
import { parseTemplate } from '../../template.ts';
import type { Account, Accounts } from '../account/account.ts';
import type { Application } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import { type BlockCollection, type ButtonBlock, blockOf } from './button-block.ts';
import { Forbidden } from './rights.ts';

/** What an administrator has set up of a button. */
export interface ButtonSetup {
  /** By the keys of fields; they can hold variables. */
  fields: Record<string, unknown>;
  /** Whether it asks for what its fields leave open. */
  asks: boolean;
  account: unknown;
  /** Whose rows it is for; undefined if its block shows none. */
  block: ButtonBlock | undefined;
}

interface StoredButton {
  use?: string;
  stepParams?: Record<string, Record<string, Record<string, unknown> | undefined> | undefined>;
}

/**
 * What is stored of a button.
 *
 * @param uid which NocoBase knows it by; a browser says it
 * @throws {Forbidden} if there is no such button of the action
 */
export async function buttonSetup(
  { db }: Pick<Application, 'db'>,
  action: Action,
  uid: unknown,
  kind: ButtonKind,
): Promise<ButtonSetup> {
  const models = db.getRepository('flowModels') as unknown as {
    findModelById(uid: string): Promise<StoredButton | null>;
  };
  const key = textOf(uid);
  const stored = key ? await models.findModelById(key) : null;
  if (stored?.use !== modelName(action, kind))
    throw new Forbidden(`Your role may use “${action.name}” only with a button on a page.`);
  const { account, ask, ...fields } = stored.stepParams?.[clickFlow]?.[clickStep] ?? {};
  return { fields, asks: ask !== false, account, block: await blockOf({ db }, key) };
}

/**
 * The account that a button is for: the one that it is set up with, the one whose records its block shows, or the only one.
 *
 * @throws {TelephonyError} if it is for none of several
 */
export async function accountOf(
  accounts: Pick<Accounts, 'find' | 'get'>,
  { account, block }: Pick<ButtonSetup, 'account' | 'block'>,
): Promise<Account> {
  const shown = account || !block ? undefined : await accounts.find(block.dataSource);
  return shown ?? accounts.get(account);
}

/**
 * Checks that a button is for the rows that a browser says it is for.
 *
 * @throws {Forbidden} if its block shows other rows, or none
 */
export function assertShows({ block }: ButtonSetup, { dataSource, collection }: BlockCollection) {
  if (block?.dataSource === dataSource && block.collection === collection) return;
  throw new Forbidden(`This button is not for rows of “${collection}”. Nothing was sent.`);
}

type Field = Action['fields'][number];

function partsOf({ label }: Field, text: string): Part[] {
  return parseTemplate(text).map((part) => {
    if (typeof part === 'string' || 'column' in part) return part;
    throw new Forbidden(
      `“${label}” of this button contains {{ ${part.variable} }}. Your role may only use buttons with texts and columns of their row.`,
    );
  });
}

/** A text that someone typed into a button's dialog; only a text, since a column could be one that the button doesn't use. */
function typedText(input: Record<string, unknown>, key: string): Part[] | undefined {
  const typed = Object.hasOwn(input, key) ? input[key] : undefined;
  const all = Array.isArray(typed) ? typed : [typed];
  const isText = all.every((part) => typeof part === 'string');
  return isText && !isMissing(all.join('')) ? [all.join('')] : undefined;
}

/**
 * What a button sends for someone who may do nothing else: what is set up, and what they typed where that leaves a field open. The
 * sender is never open.
 *
 * @param input what the browser sends, by the keys of fields: texts or lists of parts
 * @throws {Forbidden} if the button uses a value that only the browser knows
 */
export function buttonInput(
  { fields }: Action,
  { fields: setup, asks }: ButtonSetup,
  input: unknown,
): Record<string, Part[]> {
  const given = Object(input) as Record<string, unknown>;
  const entries = fields.flatMap((field): [string, Part[]][] => {
    const { key } = field;
    const isSetUp = Object.hasOwn(setup, key) && !isMissing(setup[key]);
    if (isSetUp) return [[key, partsOf(field, String(setup[key]))]];
    const typed = asks && !isSenderField(field) ? typedText(given, key) : undefined;
    return typed ? [[key, typed]] : [];
  });
  return Object.fromEntries(entries);
}
