import type { Action } from '../../generated/definition-types.ts';
import { recordShape } from '../definition/record-shape.ts';
import { addSentence } from '../response/add-sentence.ts';
import { errorSentence } from '../response/error-sentence.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import { TelephonyError } from '../telephony-error.ts';
import { statusMeaning } from './status-meaning.ts';

/**
 * Returns the error of an action whose record says that it has failed, such as a message to a number that can't get any.
 *
 * @returns undefined if the record doesn't say so
 */
export function recordFailure(
  { result }: Action,
  record: TelephonyRecord,
): TelephonyError | undefined {
  const { fields } = recordShape(result.of);
  const status = fields.find((field) => field.status);
  const value = String(status && record[status.key]);
  if (statusMeaning(value) !== 'failure') return undefined;
  const { key = '', explains = '' } = fields.find((field) => field.explains) ?? {};
  const code = record[explains] ? String(record[explains]) : undefined;
  const reason = (code && errorSentence(code)) ?? record[key];
  const sentence = `The service reports the status "${value}".`;
  return new TelephonyError('rejected', reason ? addSentence(sentence, String(reason)) : sentence, {
    serviceCode: code,
  });
}
