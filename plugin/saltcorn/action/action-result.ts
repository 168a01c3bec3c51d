import { escapeHtml } from '@saltcorn/data/utils';
import { TelephonyError } from '../../../src/builder.ts';
import { sayError } from '../translated.ts';

/** An action's result in Saltcorn's format. Saltcorn renders toasts as HTML. */
export type ActionResult = Record<string, unknown>;

const html = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

export const success = (text: string): ActionResult => ({ notify_success: html(text) });

/** Nothing failed, and nothing was done. */
export const warning = (text: string): ActionResult => ({
  notify: html(text),
  notify_type: 'warning',
  halt_steps: true,
});

/**
 * An error as a red toast. Saltcorn's views turn an `error` into a crash report with the user's input and cookies, so
 * only API clients, which look for it, get one.
 */
export const failure = (text: string, visitor: string | undefined): ActionResult =>
  visitor ? { notify: html(text), notify_type: 'danger', halt_steps: true } : { error: html(text) };

/** Returns the result of an action that failed. Throws an error that isn't a `TelephonyError`. */
export function failureOf(error: unknown, visitor: string | undefined): ActionResult {
  if (!(error instanceof TelephonyError)) throw error;
  return failure(sayError(error), visitor);
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
