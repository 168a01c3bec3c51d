import type { Action } from '../../generated/definition-types.ts';
import { recipientField } from '../definition/fields.ts';
import { isBlank } from '../input/check-values.ts';
import { TelephonyError } from '../telephony-error.ts';
import { inEnglish, type Say, sentence } from '../text/sentence.ts';
import type { Batch } from './batch.ts';
import { isToSend } from './row-item.ts';

/** The label of the field for the number that a test uses. */
export const testLabel = sentence('Your number').text;

/**
 * Returns the message of a test's error. It calls the recipient's field as the form of the test does.
 *
 * @param say writes it in the language of the person
 */
export function testProblem(
  action: Action,
  { said }: TelephonyError,
  say: Say = inEnglish,
): string {
  const quoted = (text = '') => say(sentence('"{label}"', { label: { text } }));
  return say(said).replaceAll(quoted(recipientField(action)?.label), quoted(testLabel));
}

/** Whether a user can test a batch with a number of their own before they start it. */
const canTest = (action: Action, { state, items }: Batch<unknown>): boolean =>
  state === 'preview' && recipientField(action) !== undefined && items.some(isToSend);

/**
 * Returns the input that tests a batch: the values of its first row, with another recipient. The batch doesn't change, so its
 * first row is still sent.
 *
 * @param recipient the number that the user typed
 * @throws {TelephonyError} with code `input` if the number is missing, or the batch was started, or other batches have sent its rows
 */
export function testInput(
  action: Action,
  batch: Batch<unknown>,
  recipient: unknown,
): Record<string, unknown> {
  const field = recipientField(action);
  const first = batch.items.find(isToSend);
  if (!field || !first || !canTest(action, batch))
    throw new TelephonyError(
      'input',
      sentence(
        'This preview has changed, so nothing was sent to your number. Preview the batch again.',
      ),
    );
  if (isBlank(recipient))
    throw new TelephonyError(
      'input',
      sentence('Enter your number with its country code, such as {example}.', {
        example: field.placeholder ?? '',
      }),
      { field: field.key },
    );
  return { ...first.values, [field.key]: recipient };
}
