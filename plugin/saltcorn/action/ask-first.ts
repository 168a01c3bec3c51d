import { randomBytes } from 'node:crypto';
import {
  type Action,
  definitions,
  questionOf,
  sentence,
  TelephonyError,
} from '../../../src/builder.ts';
import { store } from '../tenant-store.ts';
import { say } from '../translated.ts';
import type { Row } from '../where/where.ts';
import type { ActionResult } from './action-result.ts';
import type { RunArguments } from './run-arguments.ts';

const kind = 'asked';
const keptMs = 3_600_000;

/** The path of the route that runs what a visitor has confirmed. */
export const askedPath = `/${definitions.manifest.id}/asked`;

/** A click whose visitor is asked first. */
export interface AskedClick {
  visitor: string;
  actionId: string;
  run: Pick<RunArguments, 'configuration' | 'row' | 'joined'>;
}

const scriptText = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');

/**
 * Asks a visitor before an action whose effect can't be undone. The answer runs only this action, not the steps before it again.
 *
 * @param valuesOf returns the values of its fields, which the question names
 * @returns undefined if it can be undone
 */
export async function askFirst(
  action: Action,
  visitor: string,
  { configuration = {}, row, joined }: RunArguments,
  valuesOf: () => Row,
): Promise<ActionResult | undefined> {
  const question = action.asks === undefined ? undefined : questionOf(action, valuesOf());
  if (!question) return undefined;
  const key = randomBytes(18).toString('base64url');
  const click: AskedClick = {
    ...{ visitor, actionId: action.id },
    run: { configuration, ...(row && { row }), ...(joined && { joined }) },
  };
  await store.insert(kind, { key, value: click });
  return {
    eval_js: `if (confirm(${scriptText(say(question))})) ajax_post_json('${askedPath}/${key}', {});`,
    // They would run before the answer.
    halt_steps: true,
  };
}

/**
 * Returns the click that a visitor has confirmed.
 *
 * @throws {TelephonyError} if there is none, or another visitor's
 */
export async function confirmedClick(key: string, visitor: string): Promise<AskedClick> {
  const entry = await store.get(kind, key);
  const click = entry?.value as AskedClick | undefined;
  if (!click || click.visitor !== visitor)
    throw new TelephonyError(
      'input',
      sentence('This question is too old. Press the button again.'),
    );
  return click;
}

/** Deletes old questions. */
export const expireAsked = (): Promise<void> => store.expire(kind, Date.now() - keptMs);
