import type { CallToolResult } from '@modelcontextprotocol/server';
import {
  hasUnknownOutcome,
  type Operation,
  recordShape,
  TelephonyError,
} from '../../../src/builder.ts';

/** What a model gets: structured, and the same as text for clients that show only text. */
export function resultOf(content: object, isError = false): CallToolResult {
  const structuredContent = JSON.parse(JSON.stringify(content));
  return {
    content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
    structuredContent,
    ...(isError && { isError }),
  };
}

const isNumber = (value: unknown) => /^(\w+:)?\+?\d+$/.test(String(value));

/**
 * Returns the values of a record for a model. A text that a stranger may have written, such as that of a message, a name or a transcript, is
 * wrapped in `{ untrusted }`. Values that only programs need, and empty ones, are left out.
 */
export function recordOf({ result }: Operation, record: object): object {
  const { fields } = recordShape(result.of);
  const currencies = fields.map(({ currency }) => currency);
  const isSafe = (key: string, value: unknown) => {
    const field = fields.find((one) => one.key === key);
    if (typeof value !== 'string') return typeof value !== 'object' || value instanceof Date;
    if (!field) return false;
    if (field.type === 'phone') return isNumber(value);
    const isText = field.type === 'text' || field.type === 'map';
    return !isText || currencies.includes(key) || field.explains !== undefined;
  };
  const shown = Object.entries(record).filter(([key, value]) => {
    const field = fields.find((one) => one.key === key);
    return value !== null && value !== undefined && !field?.technical;
  });
  return Object.fromEntries(
    shown.map(([key, value]) => [key, isSafe(key, value) ? value : { untrusted: value }]),
  );
}

/** Returns a failure for a model: what happened, what to do, and whether to try again. */
export function failureOf(error: unknown): CallToolResult {
  if (!(error instanceof TelephonyError))
    return resultOf({ status: 'failed', message: 'The gateway has a problem. See its log.' }, true);
  const { code, field, message, serviceCode, retryAfter } = error;
  return resultOf(
    hasUnknownOutcome(error)
      ? { status: 'unknown', code, doNotRetry: true, message }
      : { status: 'failed', code, field, serviceCode, retryAfter, message },
    true,
  );
}
