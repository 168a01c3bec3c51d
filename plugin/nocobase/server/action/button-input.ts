import {
  type Action,
  emptySenderField,
  type FieldParts,
  filledIn,
  isMissing,
  isSenderField,
  type Part,
  sentence,
  sentences,
  TelephonyError,
} from '../../../../src/builder.ts';
import { type ButtonKind, clickFlow, clickStep, modelName } from '../../button-models.ts';
import { parseTemplate, popupColumn } from '../../template.ts';
import type { Account, Accounts } from '../account/account.ts';
import type { Application } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import { type BlockCollection, type ButtonPlace, placeOf } from './button-block.ts';
import { Forbidden } from './rights.ts';
import type { PopupRecord } from './scope-filter.ts';

/** A button as an administrator configured it. */
export interface ButtonSetup extends ButtonPlace {
  /** Field values by key; they can contain variables. */
  fields: Record<string, unknown>;
  /** Whether the button asks the user for empty fields. */
  asks: boolean;
  account: unknown;
}

interface StoredButton {
  use?: string;
  stepParams?: Record<string, Record<string, Record<string, unknown> | undefined> | undefined>;
}

/**
 * Reads a button's stored configuration.
 *
 * @param uid the button's uid, from the browser
 * @throws {Forbidden} if the action has no such button
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
    throw new Forbidden(
      sentence('Your role may use “{name}” only with a button on a page.', {
        name: { text: action.name },
      }),
    );
  const { account, ask, ...fields } = stored.stepParams?.[clickFlow]?.[clickStep] ?? {};
  return { fields, asks: ask !== false, account, ...(await placeOf({ db }, key)) };
}

/**
 * Returns a button's account: the configured one, the one whose records the block shows, or the only one.
 *
 * @throws {TelephonyError} if it is none of these
 */
export async function accountOf(
  accounts: Pick<Accounts, 'find' | 'get'>,
  { account, block }: Pick<ButtonSetup, 'account' | 'block'>,
): Promise<Account> {
  const shown = account || !block ? undefined : await accounts.find(block.dataSource);
  return shown ?? accounts.get(account);
}

/**
 * Checks that a button's block shows the collection that the browser names.
 *
 * @throws {Forbidden} if it shows another collection or none
 */
export function assertShows({ block }: ButtonSetup, { dataSource, collection }: BlockCollection) {
  if (block?.dataSource === dataSource && block.collection === collection) return;
  throw new Forbidden(
    sentences(
      sentence('This button is not for rows of “{collection}”.', { collection }),
      sentence('Nothing was sent.'),
    ),
  );
}

type Field = Action['fields'][number];

/** Converts a value of a popup's record to text. */
function popupText(field: Field, column: string, record: object): string {
  const parts: FieldParts = [[field, [{ column }]]];
  try {
    return String(filledIn(parts, record)[field.key]);
  } catch {
    throw new TelephonyError(
      'input',
      sentence('"{label}" {problem}.', {
        label: { text: field.label },
        problem: sentence('is missing: the record of the popup has no “{column}”', { column }),
      }),
      { field: field.key },
    );
  }
}

function partsOf(field: Field, text: string, popupRecord: PopupRecord): Promise<Part[]> {
  const parts = parseTemplate(text).map(async (part): Promise<Part> => {
    if (typeof part === 'string' || 'column' in part) return part;
    const column = popupColumn(part.variable);
    if (column !== undefined) return popupText(field, column, await popupRecord());
    throw new Forbidden(
      sentence(
        "You can't use this button: “{label}” contains {variable}, which your role may not use. Nothing was sent. Ask an administrator to enter a text or a column of the row, or of the popup's record, instead.",
        { label: { text: field.label }, variable: `{{ ${part.variable} }}` },
      ),
    );
  });
  return Promise.all(parts);
}

/**
 * The text that the user typed for a field. Lists of parts must be all text: a column could be one that the button
 * doesn't use.
 */
function typedText(input: Record<string, unknown>, key: string): Part[] | undefined {
  const typed = Object.hasOwn(input, key) ? input[key] : undefined;
  const all = Array.isArray(typed) ? typed : [typed];
  const isText = all.every((part) => typeof part === 'string');
  return isText && !isMissing(all.join('')) ? [all.join('')] : undefined;
}

/**
 * Returns a button's input for a user who may run the action only through buttons: the configured values, and the
 * user's for fields left empty. Users can't set the sender.
 *
 * @param account the button's account, whose default sender is used if the button has none
 * @param input the browser's values by field key: texts or lists of parts
 * @param popupRecord reads the record of the popup that the button is in
 * @throws {Forbidden} if the button uses a value that only the browser knows
 * @throws {TelephonyError} if the button has no sender, or the popup's record lacks a value
 */
export async function buttonInput(
  action: Action,
  { defaultSender }: Pick<Account, 'defaultSender'>,
  { fields: setup, asks }: Pick<ButtonSetup, 'fields' | 'asks'>,
  input: unknown,
  popupRecord: PopupRecord,
): Promise<Record<string, Part[]>> {
  const given = Object(input) as Record<string, unknown>;
  const entries: [string, Part[]][] = [];
  for (const field of action.fields) {
    const { key } = field;
    const isSetUp = Object.hasOwn(setup, key) && !isMissing(setup[key]);
    const typed = asks && !isSenderField(field) ? typedText(given, key) : undefined;
    if (isSetUp) entries.push([key, await partsOf(field, String(setup[key]), popupRecord)]);
    else if (typed) entries.push([key, typed]);
  }
  const parts = Object.fromEntries(entries);
  if (!defaultSender && emptySenderField(action, (key) => Object.hasOwn(parts, key))?.required)
    throw new TelephonyError(
      'input',
      sentence(
        "This button has no sender. Ask an administrator to enter one in the button's settings, or in the plugin's settings. Nothing was sent.",
      ),
    );
  return parts;
}
