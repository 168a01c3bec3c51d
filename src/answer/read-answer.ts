import { isAction, isList, type Operation } from '../definition/operation.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { settingsLocation } from '../settings/settings-location.ts';
import { type ErrorDetails, TelephonyError } from '../telephony-error.ts';
import type { ServiceResponse } from '../wire/send-request.ts';
import { type Json, parseObject } from './json.ts';
import { isOutcomeUnknown } from './outcome.ts';
import { isRecord } from './read-record.ts';
import { refusal } from './refusal.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * The JSON object of a successful answer.
 *
 * @param settings whose credentials must be in no error
 * @param operation what the service was asked
 * @param answer what it answered
 * @throws {TelephonyError} when the service refused, or when the answer cannot be read. For an action whose
 *   success cannot be read the code is `unknown-outcome`.
 */
export function readAnswer(
  settings: CheckedSettings,
  operation: Operation,
  answer: ServiceResponse,
): Json {
  if (answer.status < 200 || answer.status > 299) throw refusal(settings, operation, answer);
  const body = parseObject(answer.text);
  if (body && (isList(operation) || isRecord(recordShape(operation.result.of), body))) return body;
  const sentence = "The service's response could not be read.";
  const requestId = withoutSecrets(settings, answer.requestId);
  const details: ErrorDetails = { ...answer, requestId };
  throw isAction(operation) && isOutcomeUnknown(answer)
    ? new TelephonyError('unknown-outcome', sentence, details)
    : new TelephonyError(
        'bad-answer',
        `${sentence} Check the base URL in ${settingsLocation()}.`,
        details,
      );
}
