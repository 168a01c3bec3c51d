import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import { escapeHtml } from '@saltcorn/data/utils';
import pLimit from 'p-limit';
import { type Action, checkInput, TelephonyError } from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { formField } from '../settings/form-field.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import type { Row } from '../where/where.ts';
import { inputOf, type RunArguments } from './action-input.ts';
import { rowsFormFields, rowsOf } from './action-rows.ts';
import { requestOf } from './who-waits.ts';

/** How many are under way at the same time. */
const atOnce = 5;

/** How many of those that were not done are named in the summary. */
const mostNamed = 20;

type Outcome = 'done' | 'failed' | 'unknown' | 'same' | 'untried';

interface Result {
  outcome: Outcome;
  /** Whom or what it was for. */
  about: string;
  message?: string;
  record?: Row;
}

const words: Record<Outcome, string> = {
  done: 'done',
  failed: 'failed',
  unknown: 'unknown, perhaps done',
  same: 'the same as another row',
  untried: 'not tried',
};

/** Errors that every further row would meet as well. */
const isHopeless = ({ code }: TelephonyError) => code === 'settings' || code === 'unauthorised';

/** The numbers and sids that differ from row to row. */
function aboutOf({ fields }: Action, { configuration = {} }: RunArguments, input: Row): string {
  const filled = fields.filter(
    ({ key, type }) => ['phone', 'sid'].includes(type) && /\{\{/.test(String(configuration[key])),
  );
  return filled.map(({ key }) => String(input[key])).join(', ');
}

/** Shows how far it is to whoever clicked, in the page where they clicked. */
function showProgress({ name }: Action, run: RunArguments, done: number, all: number) {
  const { user, req } = run;
  const tag = req?.headers?.['page-load-tag'];
  if (!tag || all === 0) return;
  const title = escapeHtml(name);
  const update = {
    id: 'telephony',
    title,
    message: `${done} of ${all}`,
    percent: (100 * done) / all,
  };
  const data = {
    page_load_tag: tag,
    progress_bar_update: done < all ? update : { ...update, close: true },
  };
  getState().emitDynamicUpdate(db.getTenantSchema(), data, user?.id ? [user.id] : null);
}

async function runAll(action: Action, account: Account, run: RunArguments, rows: Row[]) {
  const telephony = await account.telephony();
  const inTurn = pLimit(atOnce);
  const asked = new Set<string>();
  let hopeless = false;
  let ended = 0;

  async function runOne(row: Row): Promise<Result> {
    let about = '';
    try {
      const input = inputOf(action, account.configuration, { ...run, row });
      about = aboutOf(action, run, input);
      const values = checkInput(action, input);
      const key = JSON.stringify(values);
      if (asked.has(key)) return { outcome: 'same', about };
      if (hopeless) return { outcome: 'untried', about };
      asked.add(key);
      const record = await telephony.run(action.id, values);
      return { outcome: 'done', about, record };
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error;
      hopeless ||= isHopeless(error);
      const outcome = error.code === 'unknown-outcome' ? 'unknown' : 'failed';
      return { outcome, about, message: error.message };
    }
  }

  async function counted(row: Row) {
    const result = await runOne(row);
    ended += 1;
    showProgress(action, run, ended, rows.length);
    return result;
  }

  showProgress(action, run, ended, rows.length);
  try {
    return await Promise.all(rows.map((row) => inTurn(() => counted(row))));
  } finally {
    account.changed();
  }
}

const count = (results: Result[], outcome: Outcome) =>
  results.filter((result) => result.outcome === outcome).length;

const outcomes = Object.keys(words) as Outcome[];

function summary({ name }: Action, results: Result[]): string {
  const counts = outcomes
    .filter((outcome) => outcome === 'done' || count(results, outcome) > 0)
    .map((outcome) => `${count(results, outcome)} ${words[outcome]}`);
  const named = results.filter(({ message }) => message !== undefined);
  const lines = named
    .slice(0, mostNamed)
    .map(({ about, message }) => `${about}: ${message}`.replace(/^: /, ''));
  const further = named.length > mostNamed ? [`And ${named.length - mostNamed} more.`] : [];
  return [`${name}: ${counts.join(', ')}.`, ...lines, ...further].map(escapeHtml).join('<br>');
}

async function runBulk(action: Action, account: Account, run: RunArguments): Promise<Result[]> {
  assertMayRun(action, account.configuration, requestOf(run));
  return runAll(action, account, run, await rowsOf(run));
}

/** What a workflow can go on with. */
const forWorkflow = ({ result }: Action, results: Result[]) => ({
  ...Object.fromEntries(outcomes.map((outcome) => [outcome, count(results, outcome)])),
  [`${result.of}s`]: results.flatMap(({ record }) => (record ? [record] : [])),
});

/**
 * The Saltcorn action that does an action for each row of a table, shows its progress, and sums up what was done, what
 * failed, and what perhaps was done. Rows that ask for exactly the same have it done once.
 *
 * @param action the definition
 * @param account the account it is done on
 * @param namespace the heading that the builder shows it under
 */
export function bulkAction(action: Action, account: Account, namespace: string) {
  return {
    namespace,
    description: `${action.description} Done for each row of a table. In the fields, {{ name }} stands for the row's value of that name.`,
    requireRow: false,
    configFields: async () => [
      ...(await rowsFormFields()),
      ...action.fields.map((field) => formField(field)),
    ],
    run: async (run: RunArguments) => {
      if (run.mode === 'workflow') return forWorkflow(action, await runBulk(action, account, run));
      try {
        const results = await runBulk(action, account, run);
        const isGood = results.every(({ outcome }) => outcome === 'done' || outcome === 'same');
        return { [isGood ? 'notify_success' : 'error']: summary(action, results) };
      } catch (error) {
        if (!(error instanceof TelephonyError)) throw error;
        return { error: escapeHtml(error.message) };
      }
    },
  };
}
