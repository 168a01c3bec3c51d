import {
  type Action,
  isMissing,
  type Part,
  sentence,
  TelephonyError,
  timeWriter,
  withSender,
} from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import { partsOf, rowInput } from '../bulk/plan.ts';
import { selectedRows } from '../bulk/selected-rows.ts';
import type { Application, Context } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import { timeReader } from '../time-reader.ts';
import {
  accountOf,
  assertShows,
  type ButtonSetup,
  buttonInput,
  buttonSetup,
} from './button-input.ts';
import { assertPageShown } from './button-page.ts';
import { ButtonRows } from './button-rows.ts';
import { rightTo } from './rights.ts';

/** A click by a user who may run the action only through buttons. */
interface Click {
  action: Action;
  context: Context;
  input: unknown;
  button?: unknown;
  row?: unknown;
  /** The records of the open popups, by the uids of the models that open them. */
  popups?: unknown;
  /** The language and time zone of the user, in which the row's times are written. */
  reader?: unknown;
}

/** Reads the button's row with the user's rights. */
function rowOf(
  app: Application,
  context: Context,
  click: { setup: ButtonSetup; own: ButtonRows; row: unknown; input: Record<string, Part[]> },
) {
  const { setup, own, row, input } = click;
  const { dataSource, collection, key } = Object(row);
  if (isMissing(key))
    throw new TelephonyError(
      'input',
      sentence(
        "This button needs a row. Add it to the actions of a table's rows. Nothing was sent.",
      ),
    );
  const request = { dataSource: textOf(dataSource), collection: textOf(collection) };
  assertShows(setup, request);
  const filters = (reading: Context) => own.filters(setup.block, reading);
  return selectedRows(app, context, { ...request, rows: [key], input }, filters);
}

/**
 * Resolves the account and the input for a user who may run the action only through buttons. The browser's values count
 * only for fields that the button leaves empty. The row's values are read with the user's rights.
 *
 * @throws {Forbidden} if the button belongs to another action or to other rows, or uses a value that only the browser
 * knows
 * @throws {TelephonyError} if the row can't be read or lacks a value
 */
export async function buttonClick(app: Application, accounts: Accounts, click: Click) {
  const { action, context, input, button, row, popups, reader } = click;
  const setup = await buttonSetup(app, action, button, '');
  await assertPageShown(app, button, context);
  const account = await accountOf(accounts, setup);
  rightTo(account, action, context);
  const own = new ButtonRows(app, context, popups);
  const given = await buttonInput(action, account, setup, input, () => own.record(setup.popup));
  const usesRow = Object.values(given).some((parts) =>
    parts.some((one) => typeof one !== 'string'),
  );
  if (!usesRow) {
    const texts = Object.entries(given).map(([key, parts]) => [key, parts.join('')]);
    return { account, input: withSender(action, account, Object.fromEntries(texts)) };
  }
  const selected = await rowOf(app, context, { setup, own, row, input: given });
  const [only] = selected.rows;
  if (!only)
    throw new TelephonyError(
      'input',
      sentence('The row of this button no longer exists. Nothing was sent.'),
    );
  const parts = partsOf(action, given, selected);
  const write = timeWriter(timeReader(reader));
  return { account, input: rowInput(action, account, parts, only, selected, write) };
}
