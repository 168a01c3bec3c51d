import type { SandboxOptions } from '../../demo/sandbox/index.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';

export const NOW = new Date('2026-03-11T15:00:00Z');
export const NOW_TEXT = 'Wed, 11 Mar 2026 15:00:00 +0000';

/** A sandbox at a fixed time. It is closed after its tests. */
export const sandboxFor = (options: SandboxOptions = {}): Promise<Sandbox> =>
  openSandbox({ now: NOW, ...options });

/** The path of an account's resource. */
export function pathOf(sandbox: Sandbox, resource: string): string {
  const base = sandbox.url.slice(sandbox.origin.length);
  return `${base}/2010-04-01/Accounts/${sandbox.username}${resource}`;
}

export function basic({ username, password }: { username: string; password: string }) {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** Sends a request with the sandbox's credentials, and returns the status and the parsed body. */
export async function ask(sandbox: Sandbox, method: string, resource: string, init?: RequestInit) {
  const answer = await request(sandbox, method, resource, init);
  const text = await answer.text();
  const type = answer.headers.get('content-type') ?? '';
  return { status: answer.status, body: type.includes('json') ? JSON.parse(text) : text };
}

export function request(
  sandbox: Sandbox,
  method: string,
  resource: string,
  init: RequestInit = {},
) {
  const headers = { ...basic(sandbox), ...(init.headers as Record<string, string>) };
  const url =
    sandbox.origin + (resource.includes('/Accounts/') ? resource : pathOf(sandbox, resource));
  return fetch(url, { ...init, method, headers });
}

export const get = (sandbox: Sandbox, resource: string) => ask(sandbox, 'GET', resource);

export const post = (sandbox: Sandbox, resource: string, fields: Record<string, string> = {}) =>
  ask(sandbox, 'POST', resource, { body: new URLSearchParams(fields) });

export function errorPayload(code: number, status: number, message: string) {
  const more_info = `https://www.twilio.com/docs/errors/${code}`;
  return { status, body: { code, message, more_info, status } };
}

/** A value, or an error if it is missing. */
export function given<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('expected a value');
  return value;
}
