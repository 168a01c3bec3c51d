import { ERRORS, type ErrorCode } from './errors.ts';

/** What is sent back for one request. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** Sid of the record this request created. */
  stored?: string;
  /** The connection dies: before anything is sent, or in the middle of the body. */
  cut?: 'at-once' | 'in-body';
}

/** An answer in JSON. */
export function json(status: number, value: unknown): Answer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: JSON.stringify(value) };
}

/**
 * An error in the service's payload form, `{ code, message, more_info, status }`.
 * `{Name}` in the message is replaced by that entry of `values`.
 */
export function failure(code: ErrorCode, values: Record<string, string> = {}): Answer {
  const { status, message, ...rest }: ErrorEntry = ERRORS[code];
  const answer = json(status, {
    code,
    message: message.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
    ...rest,
  });
  if (status === 401) answer.headers['www-authenticate'] = 'Basic realm="Sandbox API"';
  return answer;
}

type ErrorEntry = { status: number; message: string; detail?: string };
