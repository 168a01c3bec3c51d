/** The parts of Saltcorn 1.6 that the plugin stands on. */

declare module '@saltcorn/data/models/workflow' {
  interface Step {
    name: string;
    form: (context: Record<string, unknown>) => unknown;
  }
  export default class Workflow {
    constructor(options: { steps: Step[] });
  }
}

declare module '@saltcorn/data/models/form' {
  interface FormOptions {
    blurb?: string;
    labelCols?: number;
    fields: import('./form-field.ts').FormField[];
    additionalButtons?: { label: string; id: string; class: string; onclick: string }[];
    validator?: (values: Record<string, unknown>) => string | undefined;
  }
  export default class Form {
    constructor(options: FormOptions);
  }
}

declare module '@saltcorn/data/models/user' {
  const User: { get_roles(): Promise<{ id: number; role: string }[]> };
  export default User;
}

declare module '@saltcorn/data/db/state' {
  export function getState(): {
    plugin_cfgs: Record<string, Record<string, unknown> | undefined>;
    isFixedPluginConfig(plugin: string, key: string): boolean;
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
  export function input(attributes: Record<string, unknown>): string;
}
