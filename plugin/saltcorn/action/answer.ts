import { escapeHtml } from '@saltcorn/data/utils';
import { TelephonyError } from '../../../src/builder.ts';

/** What an action answers, in Saltcorn's own form of it. Toasts are HTML in Saltcorn. */
export type Answer = Record<string, unknown>;

const html = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

export const success = (text: string): Answer => ({ notify_success: html(text) });

/** Nothing went wrong, and nothing was done. */
export const warning = (text: string): Answer => ({
  notify: html(text),
  notify_type: 'warning',
  halt_steps: true,
});

/**
 * What went wrong, as a red toast. Of an `error` Saltcorn's views make a crash report with all that was typed and the
 * cookies of the visitor, so that only programs, which look for one, get it.
 */
export const failure = (text: string, visitor: string | undefined): Answer =>
  visitor ? { notify: html(text), notify_type: 'danger', halt_steps: true } : { error: html(text) };

/**
 * An error that names its recipient, for actions that no one waits for: it ends in Saltcorn's log, and in toasts, which
 * are HTML.
 *
 * @param about the action and its recipient
 * @param error why it was not, or perhaps was
 */
export function reported(about: string, error: TelephonyError): TelephonyError {
  const text = `${about}: ${error.message}`.replaceAll('<', '‹').replaceAll('>', '›');
  return new TelephonyError(error.code, text, error);
}
