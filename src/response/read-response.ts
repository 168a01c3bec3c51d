import { isAction, isList, type Operation, recordShape } from '../definition/operation.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { type ErrorDetails, TelephonyError } from '../telephony-error.ts';
import { type Json, parseObject } from '../text/json.ts';
import { settingsLocation } from '../text/settings-location.ts';
import type { ServiceResponse } from '../wire/send-request.ts';
import { isOutcomeUnknown } from './outcome.ts';
import { isRecord } from './read-record.ts';
import { refusal } from './refusal.ts';
import { withoutSecrets } from './without-secrets.ts';

/**
 * Parses the JSON object of a successful response.
 *
 * @param settings the account, whose credentials are removed from errors
 * @param operation the operation that was requested
 * @param response the response
 * @throws {TelephonyError} if the service refused the request, or the response can't be parsed: `bad-answer`, or `unknown-outcome` for an
 *   action that may have succeeded
 */
export function readResponse(
  settings: CheckedSettings,
  operation: Operation,
  response: ServiceResponse,
): Json {
  if (response.status < 200 || response.status > 299) throw refusal(settings, operation, response);
  const body = parseObject(response.text);
  if (body && (isList(operation) || isRecord(recordShape(operation.result.of), body))) return body;
  const sentence = "The service's response could not be read.";
  const requestId = withoutSecrets(settings, response.requestId);
  const details: ErrorDetails = { ...response, requestId };
  throw isAction(operation) && isOutcomeUnknown(response)
    ? new TelephonyError('unknown-outcome', sentence, details)
    : new TelephonyError(
        'bad-answer',
        `${sentence} Check the base URL in ${settingsLocation()}.`,
        details,
      );
}
