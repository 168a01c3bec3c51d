import {
  isAction,
  isDeletion,
  isList,
  type Operation,
  recordShape,
} from '../definition/operation.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { type ErrorCode, type ErrorDetails, TelephonyError } from '../telephony-error.ts';
import { type Json, parseObject } from '../text/json.ts';
import { settingsLocation } from '../text/settings-location.ts';
import type { ServiceResponse } from '../wire/send-request.ts';
import { isOutcomeUnknown } from './outcome.ts';
import { isRecord } from './read-record.ts';
import {
  isUnknownAccount,
  type ServiceFault,
  serviceFault,
  unknownResourceCode,
} from './service-fault.ts';
import { withoutSecrets } from './without-secrets.ts';

// Error messages are short. Searching all of a long response for credentials would block the event loop.
const maxFaultLength = 100_000;

type Classified = [code: ErrorCode, sentence: string, field?: string];

// Only the service's own code proves that it has the resource, but not this record.
function notFound(
  settings: CheckedSettings,
  operation: Operation,
  fault: ServiceFault,
): Classified {
  const orLacks =
    fault.serviceCode === unknownResourceCode ? '' : `, or does not offer "${operation.name}"`;
  const keyField = operation.fields.find((field) => field.in === 'path');
  if (keyField)
    return [
      'not-found',
      `The service has no record with this "${keyField.label}"${orLacks}.`,
      keyField.key,
    ];
  return ['not-found', unknownAccountSentence(settings, fault, orLacks)];
}

function unknownAccountSentence(
  settings: CheckedSettings,
  fault: ServiceFault,
  orLacks: string,
): string {
  const isOwn = settings.accountSid === settings.username;
  const isCertain = isUnknownAccount(settings, fault);
  const problem =
    isCertain && !isOwn
      ? 'The service accepts the credentials, but they have no account with this Account SID.'
      : `The service does not know this account${orLacks}.`;
  const field = isOwn ? 'username (the Account SID)' : 'Account SID';
  return `${problem} Check the ${field}${isCertain ? '' : ' and the base URL'} in ${settingsLocation()}.`;
}

/** Returns the code and sentence of a refusal, without the service's own words. */
function classify(
  settings: CheckedSettings,
  operation: Operation,
  response: ServiceResponse,
  fault: ServiceFault,
): Classified {
  const { status } = response;
  if (status === 401)
    return [
      'unauthorised',
      `The service rejected the credentials. Check the username (the Account SID) and the password (the Auth Token) in ${settingsLocation()}.`,
    ];
  if (status === 403)
    return [
      'unauthorised',
      `The account is not allowed to do this. Check the username (the Account SID) in ${settingsLocation()} and the account's permissions.`,
    ];
  if (status === 404) return notFound(settings, operation, fault);
  if (status === 429)
    return ['rate-limited', 'The service received too many requests. Wait a moment and try again.'];
  if (isAction(operation) && isOutcomeUnknown(response))
    return [
      'unknown-outcome',
      status === 303
        ? 'The service responded with a redirect to the result.'
        : 'The service failed while processing the request.',
    ];
  if (status >= 500) return ['unavailable', 'The service has a problem. Try again later.'];
  if (status >= 400) return ['rejected', 'The service rejected the request.'];
  return [
    'bad-answer',
    `The service responded with a redirect. Check the base URL in ${settingsLocation()}.`,
  ];
}

/**
 * Returns the error of a response that isn't a success.
 *
 * @param settings the account, whose credentials are removed from the error
 * @param operation the operation that was requested
 * @param response a response with a status below 200 or above 299
 */
export function refusal(
  settings: CheckedSettings,
  operation: Operation,
  response: ServiceResponse,
): TelephonyError {
  const fault = serviceFault(settings, response.text.slice(0, maxFaultLength));
  const { serviceCode, serviceMessage, parameters } = fault;
  const [code, sentence, keyField] = classify(settings, operation, response, fault);
  const known = code === 'unknown-outcome' ? undefined : fault.known;
  // The service's message follows even a known code, because another service may use the code for something else. About wrong
  // credentials the service names one of the two, often not the wrong one, so that message is left out.
  const isQuoted = serviceMessage && response.status !== 401;
  const quote = isQuoted ? ` ${known ? 'The service' : 'It'} said: ${serviceMessage}` : '';
  const codeSuffix = serviceCode === undefined ? '' : ` (${serviceCode})`;
  const field =
    operation.fields.find(({ name }) => parameters.includes(name))?.key ??
    [known?.field, keyField].find((key) =>
      operation.fields.some((candidate) => candidate.key === key),
    );
  const requestId = withoutSecrets(settings, response.requestId);
  const details: ErrorDetails = { ...response, requestId, serviceCode, serviceMessage, field };
  return new TelephonyError(code, (known?.sentence ?? sentence) + quote + codeSuffix, details);
}

/**
 * Parses the JSON object of a successful response. That of a deletion is empty, because there is no record any more.
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
  if (isDeletion(operation) && (body || response.text.trim() === '')) return {};
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
