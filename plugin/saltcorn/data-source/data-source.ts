import type { SaltcornField, SaltcornTable } from '@saltcorn/data/models/table';
import { type DataSource, sentence, TelephonyError } from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { say } from '../translated.ts';
import { setDefaultViews } from '../view/default-views.ts';
import type { Row, Where } from '../where/where.ts';
import { type Aggregation, aggregated, type Figure, withAggregations } from './aggregate-rows.ts';
import { checkAddress } from './check-address.ts';
import { filterColumns, tableColumns } from './columns.ts';
import { distinctValues } from './distinct-values.ts';
import { type JoinField, withJoins } from './join-rows.ts';
import { withKeys } from './key-values.ts';
import { chosenKeys } from './keys.ts';
import { showNotice } from './page-notice.ts';
import { withinPageTimeout } from './page-timeout.ts';
import { providerSettings } from './provider-settings.ts';
import { countRows, phoneForm, readRows, type Selection, type SourceTable } from './read-rows.ts';
import { type Reader, readableWhere, requestReader, rowRights, viewReader } from './row-rights.ts';

/** Saltcorn's severity of a warning: it shows an error page, but writes no crash report. */
const warning = 4;

/** Reads for Saltcorn. Shows an error as a notice on the current page, if there is one, and throws it otherwise. */
async function reading<T>({ name }: SaltcornTable, read: () => Promise<T>, nothing: T): Promise<T> {
  try {
    return await withinPageTimeout(read);
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    const headline = say(sentence("Can't load “{name}”", { name }));
    if (showNotice(headline, error)) return nothing;
    // Saltcorn shows the headline to everyone and the message to administrators.
    throw Object.assign(error, { httpCode: 503, headline, severity: warning });
  }
}

const readOnly =
  ({ name }: SaltcornTable) =>
  async (): Promise<never> => {
    throw new Error(
      say(sentence('“{name}” is read-only: its rows come from the telephony account.', { name })),
    );
  };

const referencedTable = ({ name, reftable_name }: SaltcornField): [string, string][] =>
  reftable_name ? [[name, reftable_name]] : [];

function sourceTable(
  source: DataSource,
  account: Account,
  fixed: Row,
  saltcornTable: SaltcornTable,
): SourceTable {
  // A key to a deleted table is no longer a key.
  const references = new Map(saltcornTable.fields.flatMap(referencedTable));
  const keys = chosenKeys(source, fixed).filter(({ column }) => references.has(column));
  const columns = filterColumns(source, keys, fixed);
  const primary = columns.key;
  const rights = rowRights(saltcornTable, async (rows, joinFields) =>
    withJoins(
      await withKeys(keys, rows, await phoneForm(account)),
      { primary, references },
      joinFields,
      {},
    ),
  );
  return { name: saltcornTable.name, account, source, fixed, keys, references, columns, rights };
}

interface JoinedSelection extends Selection {
  where?: Where;
  joinFields?: Record<string, JoinField>;
  aggregations?: Record<string, Aggregation>;
}

/** Lists refer to a joined column that they sort by as a path or, like their columns, with underscores. */
function orderOf(orderBy: unknown, columns: string[]): unknown {
  const name = String(orderBy).replaceAll('.', '_');
  return columns.includes(name) ? name : orderBy;
}

function joinedRows(table: SourceTable, selection: JoinedSelection) {
  const { where = {}, joinFields = {}, aggregations = {}, ...rest } = selection;
  const {
    references,
    columns: { key: primary },
  } = table;
  const columns = [...Object.keys(joinFields), ...Object.keys(aggregations)];
  const fill = async (rows: Row[]) =>
    withJoins(
      await withAggregations(rows, primary, aggregations),
      { primary, references },
      joinFields,
      aggregations,
    );
  const sorted = { ...rest, orderBy: orderOf(rest.orderBy, columns) };
  return readRows(table, where, sorted, { columns, fill });
}

interface Grouping extends Reader {
  where?: Where;
  groupBy?: string | string[] | null;
}

/**
 * Creates the table provider of a data source.
 *
 * @param source the data source
 * @param account the account to read
 */
export function tableProvider(source: DataSource, account: Account) {
  return {
    configuration_workflow: () => providerSettings(source),
    fields: (configuration: Row | null | undefined) => tableColumns(source, configuration ?? {}),
    get_table: (configuration: Row | null | undefined, saltcornTable: SaltcornTable) => {
      // Saltcorn copies a table's own properties, but not those of its class, to the table that views see. Views need
      // `is_owner`, and tell the searches of tables apart by `santized_name`.
      Object.assign(saltcornTable, { is_owner: saltcornTable.is_owner.bind(saltcornTable) });
      const { santized_name: value } = saltcornTable;
      Object.defineProperty(saltcornTable, 'santized_name', { value, enumerable: true });
      setDefaultViews(source, saltcornTable.fields);
      const table = sourceTable(source, account, configuration ?? {}, saltcornTable);
      const readable = (where: Where, reader: Reader) =>
        readableWhere(saltcornTable, where, reader);
      const readingChecked = <T>(read: () => Promise<T>, nothing: T) =>
        reading(
          saltcornTable,
          () => {
            checkAddress(saltcornTable);
            return read();
          },
          nothing,
        );
      return {
        disableFiltering: true,
        getRows: (where: Where = {}, selection: Selection = {}) =>
          reading(saltcornTable, () => readRows(table, where, selection), []),
        getJoinedRows: (selection: JoinedSelection) => {
          const reader = viewReader(selection);
          // Saltcorn has added the rights of the reader that it passes.
          const { where = {} } = selection;
          const own = reader === selection ? where : readable(where, reader);
          const read = async () =>
            own ? joinedRows(table, { ...selection, ...reader, where: own }) : [];
          return readingChecked(read, []);
        },
        countRows: (where: Where = {}, reader: Reader = {}) => {
          const own = readable(where, reader);
          return readingChecked(async () => (own ? countRows(table, own, reader) : 0), 0);
        },
        aggregationQuery: (figures: Record<string, Figure>, options: Grouping = {}) => {
          const { where = {}, groupBy, ...given } = options;
          const reader = viewReader(given);
          const own = readable(where, reader);
          const groups = [groupBy ?? []].flat();
          const read = async () => {
            const rows = own ? await readRows(table, own, reader) : [];
            const found = aggregated(rows, figures, groups);
            return groups.length > 0 ? found : found[0];
          };
          return readingChecked(read, groups.length > 0 ? [] : aggregated([], figures, [])[0]);
        },
        // Saltcorn doesn't pass the reader here.
        distinctValues: (column: string, where: Where = {}) => {
          const reader = requestReader();
          const own = readable(where, reader);
          const read = async () => (own ? distinctValues(table, column, own, reader) : []);
          return reading(saltcornTable, read, []);
        },
        insertRow: readOnly(saltcornTable),
        updateRow: readOnly(saltcornTable),
        deleteRows: readOnly(saltcornTable),
      };
    },
  };
}
