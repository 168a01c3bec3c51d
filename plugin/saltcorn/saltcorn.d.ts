/** The parts of Saltcorn 1.6 that the plugin and its demo use. */

declare module '@saltcorn/data/models/workflow' {
  interface Step {
    name: string;
    form: (context: Record<string, unknown>) => unknown;
  }
  interface WorkflowOptions {
    steps: Step[];
    /** Returns what to store after the last step. */
    onDone?: (context: Record<string, unknown>) => Promise<Record<string, unknown>>;
    /** Called before a step's values are stored while the user edits the form. */
    onStepSave?: (
      step: unknown,
      context: unknown,
      values: Record<string, unknown>,
    ) => Promise<void>;
  }
  export default class Workflow {
    constructor(options: WorkflowOptions);
    /** Changes each form before it is shown or checked. */
    modifyForm?: (form: import('@saltcorn/data/models/form').default) => void;
    /**
     * Stores the values of a step while the user edits the form. With the step's name in the body, returns its errors.
     */
    singleStepForm(body: Record<string, unknown>, request?: object): Promise<SavedStep>;
    /**
     * Returns the form of the first step. With the name of a step in the body, stores its values and returns the next
     * one.
     */
    run(body: Record<string, unknown>, request?: object): Promise<unknown>;
  }
  interface SavedStep {
    renderForm?: { errors?: Record<string, string> };
    /** The message for the user if the values were not stored. */
    savingErrors?: string | null;
  }
}

declare module '@saltcorn/data/base-plugin/types' {
  interface FieldView {
    isEdit?: boolean;
    description?: string;
    run(value: unknown, request?: object, attributes?: object): string;
  }
  interface Type<Attributes> {
    name: string;
    description: string;
    sql_name: string;
    fieldviews: Record<string, FieldView>;
    attributes: Attributes;
  }
  export const float: Type<object[]>;
  export const string: Type<unknown>;
}

declare module '@saltcorn/data/base-plugin' {
  /** The module with Saltcorn's own types, views and actions. */
  const base: object;
  export default base;
}

declare module '@saltcorn/data/models/form' {
  interface FormOptions {
    blurb?: string;
    labelCols?: number;
    fields: import('./settings/form-field.ts').FormField[];
    /** The initial values. */
    values?: Record<string, unknown>;
    tabs?: { tabsStyle: 'Accordion' | 'Tabs' };
    additionalButtons?: { label: string; id: string; class: string; onclick: string }[];
    /** Elements for the head of the page. */
    additionalHeaders?: { headerTag: string }[];
    validator?: (values: Record<string, unknown>) => string | undefined;
  }
  export default class Form {
    constructor(options: FormOptions);
    fields: { name: string }[];
  }
}

declare module '@saltcorn/data/models/metadata' {
  export interface Content<Body> {
    type: string;
    name: string;
    body: Body;
    written_at?: Date;
    user_id?: number | undefined;
  }
  export interface Stored<Body> extends Content<Body> {
    id: number;
    written_at: Date;
    update(changes: Partial<Content<Body>>): Promise<void>;
    delete(): Promise<void>;
  }
  export interface Selection {
    orderBy: string;
    orderDesc?: boolean;
    limit?: number;
  }
  /** The data of plugins in the database, as JSON. */
  const MetaData: {
    find<Body = Record<string, unknown>>(
      where: object,
      selection: Selection,
    ): Promise<Stored<Body>[]>;
    create<Body = Record<string, unknown>>(content: Content<Body>): Promise<Stored<Body>>;
  };
  export default MetaData;
}

declare module '@saltcorn/data/models/plugin' {
  export interface Plugin {
    configuration?: Record<string, unknown> | null;
    upsert(): Promise<void>;
  }
  const Plugin: {
    new (plugin: object): Plugin;
    findOne(where: { name: string }): Promise<Plugin | null>;
    loadAllPlugins(): Promise<void>;
    /** Installs a plugin, or reinstalls it. */
    loadAndSaveNewPlugin(plugin: Plugin, force?: boolean): Promise<void>;
  };
  export default Plugin;
}

declare module '@saltcorn/data/models/user' {
  const User: {
    get_roles(): Promise<{ id: number; role: string }[]>;
    create(user: {
      email: string;
      password: string | undefined;
      role_id: number;
    }): Promise<{ error?: string }>;
  };
  export default User;
}

declare module '@saltcorn/data/models/table' {
  type Row = Record<string, unknown>;
  export interface SaltcornField {
    name: string;
    label: string;
    type: string | { name: string; sql_name?: unknown; fieldviews?: Record<string, object> };
    reftable_name?: string;
    calculated?: boolean;
    stored?: boolean;
    is_unique?: boolean;
    primary_key?: boolean;
    required?: boolean;
    attributes?: {
      day_only?: boolean;
      summary_field?: string;
      options?: unknown;
      currency?: string;
    };
  }
  export interface SaltcornTable {
    id: number;
    name: string;
    provider_name?: string | null;
    external?: boolean;
    min_role_read: number;
    pk_name: string;
    /** The name without the characters that SQL column names can't contain, in Saltcorn's spelling. */
    santized_name: string;
    fields: SaltcornField[];
    /** A formula that determines who owns a row. */
    ownership_formula?: string | null;
    /** Adds a user's rights to a filter. */
    updateWhereWithOwnership(
      where: Row,
      user: { role_id: number },
      forRead: true,
    ): { notAuthorized?: boolean } | undefined;
    /** Whether a user owns a row, by that formula. */
    is_owner(user: object | undefined, row: Row): boolean;
    getRow(where: object, options?: object): Promise<Row | null>;
    getRows(where: object, options?: object): Promise<Row[]>;
    countRows(where: object): Promise<number>;
    delete(): Promise<void>;
    insertRow(row: Row): Promise<unknown>;
    /** Resolves to an error, if there is one. */
    updateRow(changes: Row, key: unknown): Promise<string | undefined>;
    /** Converts values to the types of their columns. Tables of providers don't have it. */
    readFromDB?(row: Row): Row;
    getJoinedRows(options: {
      where: object;
      joinFields: object;
      forUser?: { role_id: number } | null;
      forPublic?: boolean;
    }): Promise<Row[]>;
  }
  const Table: {
    findOne(where: { name: string } | { id: number }): SaltcornTable | null;
    find(where: object, options: { cached: true }): Promise<SaltcornTable[]>;
  };
  export default Table;
}

declare module '@saltcorn/data/models/view' {
  type Row = Record<string, unknown>;
  export interface SaltcornView {
    name: string;
    viewtemplate: string;
    min_role: number;
    table_id?: number | null;
    exttable_name?: string | null;
    /** The filter of a view, combined with that of its settings. */
    combine_state_and_default_state(state: object): Row;
    queries(
      isRemote: false,
      request: object,
      response: object,
    ): {
      /** The rows that a list shows. */
      listQuery?(state: object, hash: string): Promise<{ rows: Row[] }>;
    };
    delete(): Promise<void>;
  }
  const View: { findOne(where: { name: string }): SaltcornView | null };
  export default View;
}

declare module '@saltcorn/data/models/page' {
  const Page: { findOne(where: { name: string }): { delete(): Promise<void> } | null };
  export default Page;
}

declare module '@saltcorn/data/models/trigger' {
  export interface Trigger {
    id?: number;
    name?: string;
    when_trigger: string;
    table_id?: number | null;
    configuration?: unknown;
  }
  const Trigger: {
    /** Runs the triggers of an event, asynchronously. */
    emitEvent(name: string, channel: null, user: object, row: object): void;
    /** Finds loaded triggers. */
    find(where: { when_trigger: string }): Trigger[];
    /** Finds triggers in the database. */
    findDB(where: {
      when_trigger?: string;
      name?: string;
    }): Promise<{ id: number; configuration: object; delete(): Promise<void> }[]>;
    update(id: number, changes: { configuration: object }): Promise<void>;
  };
  export default Trigger;
}

declare module '@saltcorn/data/models/workflow_run' {
  /** A run of a workflow. */
  export interface WorkflowRun {
    id: number;
    trigger_id: number;
    /** The values that its steps share. */
    context: Record<string, unknown>;
    /** The name of its step. In a loop, before it, the loop's step and its turn. */
    current_step: (string | number)[];
  }
  const WorkflowRun: { find(where: { status: string }): Promise<WorkflowRun[]> };
  export default WorkflowRun;
}

declare module '@saltcorn/data/models/workflow_step' {
  const WorkflowStep: {
    findOne(where: {
      trigger_id: number;
      name: string | number | undefined;
    }): Promise<{ action_name: string; configuration: unknown } | null>;
  };
  export default WorkflowStep;
}

declare module '@saltcorn/data/models/crash' {
  const Crash: {
    /** Writes an error to the crash log, with everything in the request. */
    create(error: Error, request: { url: string; headers: object }): Promise<void>;
  };
  export default Crash;
}

declare module '@saltcorn/data/models/internal/query' {
  type Row = Record<string, unknown>;
  /** Returns a function that nests joined values in objects, for formulas that use them this way. */
  export function joinfield_renamer(joinFields: object, aggregations: object): (row: Row) => Row;
}

declare module '@saltcorn/data/db' {
  type Row = Record<string, unknown>;
  /** The current Express request. */
  export interface PageRequest {
    method: string;
    xhr: boolean;
    originalUrl?: string;
    headers: { accept?: string; pjaxpageload?: string };
    query?: Record<string, unknown>;
    user?: { role_id: number };
    res: { status(code: number): void };
    flash(type: string, html: string): void;
  }
  /** A PostgreSQL connection of the package that Saltcorn uses. */
  export interface DatabaseClient {
    constructor: new (parameters: unknown) => DatabaseClient;
    connectionParameters: unknown;
    connect(): Promise<void>;
    end(): Promise<void>;
    on(event: 'error', listener: () => void): void;
    query(sql: string, values: unknown[]): Promise<{ rows: Row[] }>;
  }
  const db: {
    getTenantSchema(): string;
    sqlsanitize(name: string): string;
    runWithTenant<T>(tenant: string, act: () => T): T;
    withTransaction<T>(act: () => Promise<T>): Promise<T>;
    getRequestContext(): { req?: PageRequest | null; client?: DatabaseClient | null } | undefined;
    select(table: string, where: object, options?: object): Promise<Row[]>;
    /** The tables in the database, including those that aren't Saltcorn's. */
    listTables(): Promise<{ name: string }[]>;
    selectMaybeOne(table: string, where: object): Promise<Row | null>;
    deleteWhere(table: string, where: object): Promise<void>;
    query(sql: string, values: unknown[]): Promise<{ rows: Row[] }>;
    getTenantSchemaPrefix(): string;
    openOrUseTransaction<T>(act: () => Promise<T>): Promise<T>;
    isSQLite: boolean;
    connectObj: {
      multi_node?: boolean;
      file_store: string;
      default_schema: string;
      /** Values of settings, by plugin. */
      fixed_plugin_configuration?: Record<string, Record<string, unknown>>;
    };
  };
  export default db;
}

declare module '@saltcorn/data/db/connect' {
  /** The content of Saltcorn's configuration file. */
  export function getConfigFile(): { session_secret?: string } | false;
}

declare module '@saltcorn/data/db/reset_schema' {
  /** Empties the database and creates Saltcorn's own tables. */
  export default function resetSchema(dontDrop: boolean): Promise<void>;
}

declare module '@saltcorn/admin-models/models/pack' {
  type Plugin = import('@saltcorn/data/models/plugin').Plugin;
  export function install_pack(
    pack: object,
    name: string,
    installPlugin: (plugin: Plugin) => Promise<void>,
  ): Promise<void>;
}

declare module '@saltcorn/server/serve.js' {
  export default function serve(options: {
    port: number;
    host: string;
    defaultNCPUs: number;
    disableScheduler: boolean;
  }): Promise<void>;
}

/** The driver of SQLite that Saltcorn uses. */
declare module 'sqlite3' {
  class Database {
    constructor(file: string);
  }
  const sqlite: { Database: typeof Database };
  export default sqlite;
}

declare module '@saltcorn/data/db/state' {
  /**
   * Returns the function that translates Saltcorn's own texts and those in the `locales/` of modules, for the current
   * request.
   */
  export function getReq__(): (text: string) => string;
  export function getState(): {
    /** The installed modules, by name. */
    plugins: Record<string, object>;
    registerPlugin(name: string, plugin: object): void;
    plugin_cfgs: Record<string, Record<string, unknown> | undefined>;
    tables: {
      provider_name?: string | null;
      fields?: import('@saltcorn/data/models/table').SaltcornField[];
    }[];
    /** @param noSignal whether to leave out the other workers */
    refresh_tables(noSignal: boolean): Promise<void>;
    /** Reads everything from the database again. */
    refresh(noSignal: boolean): Promise<void>;
    triggers: import('@saltcorn/data/models/trigger').Trigger[];
    isFixedPluginConfig(plugin: string, key: string): boolean;
    /** Updates the pages that users have open. */
    emitDynamicUpdate(tenant: string, data: object, users: number[] | null): void;
    processSend(message: object): void;
    /** @param level from 1 for errors to 6 for everything */
    log(level: number, text: string): void;
    getConfig(key: string, otherwise: string): string;
    /** Triggers of views, which run after those of the database. */
    virtual_triggers: (import('@saltcorn/data/models/trigger').Trigger & {
      run(row: object): Promise<void>;
    })[];
  };
}

declare module '@saltcorn/data/models/expression' {
  type Fields = import('@saltcorn/data/models/table').SaltcornField[];
  type Values = Record<string, unknown>;
  export function freeVariables(formula: string): Set<string>;
  /** Adds the joined values that a formula uses. */
  export function add_free_variables_to_joinfields(
    variables: Set<string>,
    joinFields: Values,
    fields: Fields,
  ): void;
  /** Whether a text is a valid formula, or why not. */
  export function expressionValidator(formula: string): true | string;
  /** Converts a formula to the filter that it means in Saltcorn's lists. */
  export function jsexprToWhere(formula: string, scope: Values, fields: Fields): unknown;
  export function get_expression_function(
    formula: string,
    fields: Fields,
  ): (row: Values, user: unknown) => unknown;
  export function eval_expression(
    expression: string,
    row: object,
    user: object | undefined,
    where?: string,
  ): unknown;
}

declare module '@saltcorn/data/plugin-helper' {
  type Fields = import('@saltcorn/data/models/table').SaltcornField[];
  /** Parses values from a URL by their columns' types. */
  export function readState(
    state: Record<string, unknown>,
    fields: Fields,
    request?: object,
  ): Record<string, unknown>;
  export function stateFieldsToWhere(query: {
    fields: Fields;
    state: object;
    table: object;
  }): Record<string, unknown>;
}

declare module '@saltcorn/data/utils' {
  export function interpolate(
    template: string,
    row: object | undefined,
    user: object | undefined,
    where?: string,
  ): string;
  export function escapeHtml(text: string): string;
}

declare module '@saltcorn/markup/tags' {
  type Tag = (attributes: Record<string, unknown>, content?: string) => string;
  export const a: Tag;
  export const button: Tag;
  export const code: Tag;
  export const div: Tag;
  /** A script that runs when the page is ready. */
  export function domReady(script: string): string;
  export function genericElement(
    name: string,
    attributes: Record<string, unknown>,
    content?: string,
  ): string;
  export const img: Tag;
  export const input: Tag;
  export const span: Tag;
  /** Escapes everything; `text` lets some HTML through. */
  export function text_attr(value: unknown): string;
}
