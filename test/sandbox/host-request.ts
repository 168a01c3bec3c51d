import type { Sandbox } from '../support/open-sandbox.ts';
import { basic } from './client.ts';

/** Sends a request to a sister host of the service, and returns the status and the parsed body. */
export async function hostRequest(sandbox: Sandbox, path: string, form?: Record<string, string>) {
  const answer = await fetch(sandbox.url + path, {
    headers: basic(sandbox),
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}
