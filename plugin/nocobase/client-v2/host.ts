import { createElement, type ReactNode } from 'react';
import { namespace } from '../namespace.ts';

/** The parts of NocoBase's client that the plugin stands on, in both of its shells. */
export interface Host {
  apiClient: {
    request(options: object): Promise<{ data: { data: unknown } }>;
  };
  i18n: { t(text: string, options: object): string };
  dataSourceManager: { addFieldInterfaces(classes: unknown[]): void };
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

/** A function that translates a text. */
export const translator =
  ({ i18n }: Host) =>
  (text: string, values: object = {}): string =>
    i18n.t(text, {
      ...{ ns: [namespace, 'client'], nsSeparator: false, keySeparator: false },
      // React does so.
      interpolation: { escapeValue: false },
      ...values,
    });

export type Translate = ReturnType<typeof translator>;

export { createElement as h, type ReactNode };

/** What went wrong with a request: the plugin's sentence, and the field that it is about. */
export interface Problem {
  message: string;
  field?: string;
}

/** Asks the plugin's part in the server. */
export async function ask<Answer>(host: Host, url: string, data?: object): Promise<Answer> {
  const method = data ? 'post' : 'get';
  const answer = await host.apiClient.request({ url, method, data, skipNotify: true });
  return answer.data.data as Answer;
}

/** What an error of a request says. */
export function problemOf(error: unknown): Problem {
  const { response, message } = Object(error);
  const [first] = Object(response?.data).errors ?? [];
  return { message: first?.message ?? String(message ?? error), field: first?.field };
}
