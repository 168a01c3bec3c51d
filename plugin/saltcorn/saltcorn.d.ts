/** The parts of Saltcorn 1.6 that the plugin stands on. */

declare module '@saltcorn/data/models/workflow' {
  interface Step {
    name: string;
    form: (context: Record<string, unknown>) => unknown;
  }
  interface WorkflowOptions {
    steps: Step[];
    /** What is stored when the last step is finished. */
    onDone?: (context: Record<string, unknown>) => Promise<Record<string, unknown>>;
    /** Is called with the values of a step before they are stored while someone types. */
    onStepSave?: (
      step: unknown,
      context: unknown,
      values: Record<string, unknown>,
    ) => Promise<void>;
  }
  export default class Workflow {
    constructor(options: WorkflowOptions);
  }
}

declare module '@saltcorn/data/models/form' {
  interface FormOptions {
    blurb?: string;
    labelCols?: number;
    fields: import('./form-field.ts').FormField[];
    tabs?: { tabsStyle: 'Accordion' | 'Tabs' };
    additionalButtons?: { label: string; id: string; class: string; onclick: string }[];
    validator?: (values: Record<string, unknown>) => string | undefined;
  }
  export default class Form {
    constructor(options: FormOptions);
  }
}

declare module '@saltcorn/data/models/metadata' {
  interface Content {
    type: string;
    name: string;
    body: Record<string, unknown>;
    written_at?: Date;
  }
  interface MetaData extends Content {
    update(changes: Partial<Content>): Promise<void>;
    delete(): Promise<void>;
  }
  const MetaData: {
    find(where: Partial<Content>, selection: { orderBy: string }): Promise<MetaData[]>;
    create(content: Content): Promise<MetaData>;
  };
  export default MetaData;
}

declare module '@saltcorn/data/models/plugin' {
  interface Plugin {
    configuration?: Record<string, unknown> | null;
    upsert(): Promise<void>;
  }
  const Plugin: { findOne(where: { name: string }): Promise<Plugin | null> };
  export default Plugin;
}

declare module '@saltcorn/data/models/user' {
  const User: { get_roles(): Promise<{ id: number; role: string }[]> };
  export default User;
}

declare module '@saltcorn/data/models/table' {
  interface ProvidedTable {
    name: string;
    provider_name?: string | null;
    min_role_read: number;
    getRow(where: object): Promise<object | null>;
  }
  const Table: { findOne(where: { name: string }): ProvidedTable | null };
  export default Table;
}

declare module '@saltcorn/data/db' {
  const db: {
    getTenantSchema(): string;
    runWithTenant<T>(tenant: string, act: () => T): T;
  };
  export default db;
}

declare module '@saltcorn/data/db/state' {
  export function getState(): {
    plugin_cfgs: Record<string, Record<string, unknown> | undefined>;
    isFixedPluginConfig(plugin: string, key: string): boolean;
    processSend(message: object): void;
  };
}

declare module '@saltcorn/data/utils' {
  export function interpolate(
    template: string,
    row: object | undefined,
    user: object | undefined,
    where: string,
  ): string;
  export function escapeHtml(text: string): string;
}

declare module '@saltcorn/markup/tags' {
  type Tag = (attributes: Record<string, unknown>, content?: string) => string;
  export const a: Tag;
  export function genericElement(name: string, attributes: Record<string, unknown>): string;
  export const input: Tag;
  export const span: Tag;
  /** Escapes what it is given; `text` lets some of HTML through. */
  export function text_attr(value: unknown): string;
}
