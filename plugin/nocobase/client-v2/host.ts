import type { FlowContext } from '@nocobase/flow-engine';
import { createElement, type ReactNode } from 'react';
import type { TimeReader } from '../../../src/builder.ts';
import { namespace } from '../namespace.ts';

/** The parts of NocoBase's client, in both of its shells, that the plugin uses. */
export interface Host {
  apiClient: {
    request<Data = { data: unknown }>(
      options: object,
    ): Promise<{ data: Data; headers: Record<string, string | undefined> }>;
  };
  i18n: { t(text: string, options: object): string; language?: string };
  dataSourceManager: { addFieldInterfaces(classes: unknown[]): void };
  /** @param type the name of a column type */
  addFieldInterfaceOperator(type: string, operator: object): void;
  flowEngine: {
    registerModels(models: Record<string, unknown>): void;
    registerActions(actions: Record<string, unknown>): void;
    getAction(name: string): object | undefined;
    getModelClass(
      name: string,
    ): { registerActionModels?(models: Record<string, unknown>): void } | undefined;
  };
  pluginSettingsManager: {
    add?(name: string, options: object): void;
    addMenuItem?(options: object): void;
    addPageTabItem?(options: object): void;
  };
  pm: { get(name: string): unknown };
  requirejs: {
    requirejs(
      names: string[],
      done: (...modules: unknown[]) => void,
      failed: (error: unknown) => void,
    ): void;
  };
}

/** Returns a function that translates texts. */
export const translator =
  ({ i18n }: Host) =>
  (text: string, values: object = {}): string =>
    i18n.t(text, {
      ...{ ns: [namespace, 'client'], nsSeparator: false, keySeparator: false },
      // React escapes.
      interpolation: { escapeValue: false },
      ...values,
    });

/** The language and time zone of the user. */
export const readerOf = ({ i18n }: Host): TimeReader => ({
  locale: i18n.language,
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

export type Translate = ReturnType<typeof translator>;

export { createElement as h, type ReactNode };

/** A request's error message, and the field that caused it. */
export interface Problem {
  message: string;
  field?: string;
}

/** Sends a request to the plugin's server part. */
export async function request<Result>(host: Host, url: string, data?: object): Promise<Result> {
  const method = data ? 'post' : 'get';
  const response = await host.apiClient.request({ url, method, data, skipNotify: true });
  return response.data.data as Result;
}

/** Requests a file of the plugin's server part, and lets the browser save it. A link could not: it has no session. */
export async function download({ apiClient }: Host, url: string, data: object): Promise<void> {
  const options = { url, method: 'post', data, responseType: 'blob', skipNotify: true };
  const file = await apiClient.request<Blob>(options).catch(async (error) => {
    const { response } = Object(error);
    if (response?.data instanceof Blob) response.data = JSON.parse(await response.data.text());
    throw error;
  });
  const [, name = ''] = /filename="(.+)"/.exec(file.headers['content-disposition'] ?? '') ?? [];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file.data);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Reads the message of a request's error. */
export function problemOf(error: unknown): Problem {
  const { response, message } = Object(error);
  const [first] = Object(response?.data).errors ?? [];
  return { message: first?.message ?? String(message ?? error), field: first?.field };
}

/**
 * Shows the message of an error for as long as it takes to read it, which is more than NocoBase's three seconds. Shows it once, because both
 * clicks of a double click get it.
 */
export function showProblem({ message }: FlowContext, error: unknown): void {
  const content = problemOf(error).message;
  message.error({ key: content, content, duration: Math.max(3, content.length / 12) });
}
