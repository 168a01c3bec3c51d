import { ERRORS, type ErrorCode } from './errors.ts';

/** The response to a request. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
  /** The SID of the record that the request created. */
  stored?: string;
  /** Closes the connection instead: before the response, or in the middle of the body. */
  cut?: 'at-once' | 'in-body';
}

/** A JSON response. */
export function json(status: number, value: unknown): Answer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: JSON.stringify(value) };
}

/** The response to a deletion. */
export const deleted = (): Answer => ({ status: 204, headers: {}, body: '' });

/**
 * An error in the service's format, `{ code, message, more_info, status }`. `values` replace `{Name}` in the message.
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
