import { escapeHtml } from '@saltcorn/data/utils';
import { type Say, TelephonyError } from '../../../src/builder.ts';
import { say } from '../translated.ts';
import { sayHtml } from '../view/local-time.ts';

/** An action's result in Saltcorn's format. Saltcorn renders toasts as HTML. */
export type ActionResult = Record<string, unknown>;

/** Writes a text with sentences. */
type Write = (say: Say) => string;

const escaped: Say = (said) => escapeHtml(say(said));

/** Writes a toast, or an answer to a client of Saltcorn's API, which shows no times as a page does. */
const html = (write: Write, visitor: string | undefined) =>
  write(visitor ? sayHtml : escaped).replaceAll('\n', '<br>');

/** @param visitor who sees the toast, if anyone does */
export const success = (write: Write, visitor?: string): ActionResult => ({
  notify_success: html(write, visitor),
});

/** Nothing failed, and nothing was done. */
export const warning = (write: Write, visitor?: string): ActionResult => ({
  notify: html(write, visitor),
  notify_type: 'warning',
  halt_steps: true,
});

/**
 * An error as a red toast. Saltcorn's views turn an `error` into a crash report with the user's input and cookies, so
 * only API clients, which look for it, get one.
 */
export const failure = (write: Write, visitor: string | undefined): ActionResult => {
  const text = html(write, visitor);
  return visitor ? { notify: text, notify_type: 'danger', halt_steps: true } : { error: text };
};

/** Returns the result of an action that failed. Throws an error that isn't a `TelephonyError`. */
export function failureOf(error: unknown, visitor: string | undefined): ActionResult {
  if (!(error instanceof TelephonyError)) throw error;
  return failure((write) => write(error.said), visitor);
}

/** A text for a place that Saltcorn shows as text on one page and as HTML on another. */
export const withoutTags = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›');

/**
 * Adds the recipient to the error of an action that no one waits for. Saltcorn writes it into its log, and into toasts
 * as HTML. An error that isn't a `TelephonyError` stays as it is.
 *
 * @param about the action and its recipient
 * @param error why the action failed, or may have failed
 */
export function reported<Fault>(about: string, error: Fault): Fault | TelephonyError {
  if (!(error instanceof TelephonyError)) return error;
  return new TelephonyError(error.code, withoutTags(`${about}: ${error.message}`), error);
}
