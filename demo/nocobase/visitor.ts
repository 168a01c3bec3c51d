import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isChanged, noteGiven } from '../given-base-url.ts';

/** A user who is logged in to a NocoBase. */
export interface Visitor {
  /** Sends a request to its API, and resolves to the response's `data`. */
  request(action: string, values?: object): Promise<unknown>;
  /** Sends a request to a data source, and resolves to the whole response. The signal aborts it. */
  read(dataSource: string, action: string, query: object, signal?: AbortSignal): Promise<unknown>;
  /** Waits until a data source is loaded, which takes a moment after it was added. */
  untilLoaded(dataSource: string): Promise<void>;
  /** Uploads a plugin with NocoBase's own uploader, and enables it. */
  upload(tarball: string, name: string): Promise<void>;
  /** Waits until a plugin is removed. */
  untilRemoved(name: string): Promise<void>;
  /**
   * Adds an account in the plugin's settings, or updates the demo's. Resolves to true if someone has added or changed one, and
   * keeps that.
   *
   * @param home the folder with the builder's data
   */
  addAccount(settings: { username: string; baseUrl?: string }, home: string): Promise<boolean>;
}

/**
 * Logs in to a NocoBase.
 *
 * @param url the URL of the NocoBase
 */
export async function openVisitor(
  url: string,
  account: string,
  password: string,
): Promise<Visitor> {
  const headers: Record<string, string> = { 'x-authenticator': 'basic' };

  async function attempt(action: string, body?: string | FormData) {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined;
    return fetch(`${url}/api/${action}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...type },
      ...(body !== undefined && { body }),
    });
  }

  // While NocoBase installs a plugin, it answers every request with 503.
  async function send(action: string, body?: string | FormData) {
    let response = await attempt(action, body);
    while (response.status === 503) {
      await wait(300);
      response = await attempt(action, body);
    }
    const text = await response.text();
    if (!response.ok)
      throw new Error(`NocoBase responded to ${action} with ${response.status}: ${text}`);
    return text ? JSON.parse(text).data : undefined;
  }
  const request = (action: string, values?: object) =>
    send(action, values === undefined ? undefined : JSON.stringify(values));

  const queryOf = (values: object) =>
    new URLSearchParams(
      Object.entries(values).map(([key, value]): [string, string] => [
        key,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    );
  async function read(dataSource: string, action: string, query: object, signal?: AbortSignal) {
    const response = await fetch(`${url}/api/${action}?${queryOf(query)}`, {
      headers: { ...headers, 'x-data-source': dataSource },
      ...(signal && { signal }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`NocoBase responded to ${action} with ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  const { token } = await request('auth:signIn', { account, password });
  headers.authorization = `Bearer ${token}`;

  async function hasPlugin(name: string) {
    const plugins: { packageName: string }[] = await request('pm:list');
    return plugins.some(({ packageName }) => packageName === name);
  }

  return {
    request,
    read,
    untilRemoved: async (name) => {
      while (await hasPlugin(name)) await wait(300);
    },
    untilLoaded: async (dataSource) => {
      const isLoaded = async () => {
        const sources: { key: string; status: string }[] = await request('dataSources:listEnabled');
        return sources.some(({ key, status }) => key === dataSource && status === 'loaded');
      };
      while (!(await isLoaded())) await wait(100);
    },
    upload: async (tarball, name) => {
      const form = new FormData();
      form.set('file', new Blob([await readFile(tarball)]), basename(tarball));
      await send('pm:add', form);
      while (!(await hasPlugin(name))) await wait(300);
      await send(
        `pm:enable?${new URLSearchParams({ filterByTk: name, awaitResponse: 'true' })}`,
        '',
      );
    },
    addAccount: async (settings, home) => {
      type Stored = { key: string; username: string; baseUrl?: string };
      const accounts: Stored[] = await request('telephonyAccounts:list');
      if (accounts.some((stored) => isChanged(home, stored, settings))) return true;
      const [known] = accounts;
      await request('telephonyAccounts:save', { ...known, ...settings });
      noteGiven(home, settings);
      return false;
    },
  };
}
