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
import { type Said, type Sentence, sentence, sentences } from '../text/sentence.ts';
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

type Classified = [code: ErrorCode, said: Said, field?: string];

// Only the service's own code proves that it has the resource, but not this record.
function notFound(
  settings: CheckedSettings,
  operation: Operation,
  fault: ServiceFault,
): Classified {
  const isKnown = fault.serviceCode === unknownResourceCode;
  const name = { text: operation.name };
  const keyField = operation.fields.find((field) => field.in === 'path');
  if (isAction(operation) && operation.ifNotFound && isKnown)
    return ['not-found', { text: operation.ifNotFound }];
  if (!keyField) return ['not-found', unknownAccount(settings, fault, name)];
  const field = { text: keyField.label };
  const missing = isKnown
    ? sentence('The service has no record with this "{field}".', { field })
    : sentence('The service has no record with this "{field}", or does not offer "{name}".', {
        ...{ field, name },
      });
  return ['not-found', missing, keyField.key];
}

function unknownAccount(settings: CheckedSettings, fault: ServiceFault, name: Sentence): Said {
  const isOwn = settings.accountSid === settings.username;
  const isCertain = isUnknownAccount(settings, fault);
  return sentences(
    accountProblem(fault, name, isCertain && !isOwn),
    checkAccount(settings, isCertain),
  );
}

function accountProblem({ serviceCode }: ServiceFault, name: Sentence, isOther: boolean): Sentence {
  if (isOther)
    return sentence(
      'The service accepts the credentials, but they have no account with this Account SID.',
    );
  return serviceCode === unknownResourceCode
    ? sentence('The service does not know this account.')
    : sentence('The service does not know this account, or does not offer "{name}".', { name });
}

/** Says which settings to check. */
function checkAccount(
  { accountSid, username, setting }: CheckedSettings,
  isCertain: boolean,
): Sentence {
  const settings = settingsLocation();
  if (accountSid === username)
    return isCertain
      ? sentence('Check the username (the Account SID) in {settings}.', { settings })
      : sentence('Check the username (the Account SID) and {setting} in {settings}.', {
          ...{ setting, settings },
        });
  return isCertain
    ? sentence('Check the Account SID in {settings}.', { settings })
    : sentence('Check the Account SID and {setting} in {settings}.', { setting, settings });
}

/** Returns the code and sentence of a refusal, without the service's own words. */
function classify(
  settings: CheckedSettings,
  operation: Operation,
  response: ServiceResponse,
  fault: ServiceFault,
): Classified {
  const { status } = response;
  const place = { setting: settings.setting, settings: settingsLocation() };
  if (status === 401)
    return [
      'unauthorised',
      sentence(
        'The service rejected the credentials. Check the username (the Account SID) and the password (the Auth Token) in {settings}.',
        place,
      ),
    ];
  if (status === 403)
    return [
      'unauthorised',
      sentence(
        "The account is not allowed to do this. Check the username (the Account SID) in {settings} and the account's permissions.",
        place,
      ),
    ];
  if (status === 404) return notFound(settings, operation, fault);
  if (status === 429)
    return [
      'rate-limited',
      sentence('The service received too many requests. Wait a moment and try again.'),
    ];
  if (isAction(operation) && isOutcomeUnknown(response))
    return [
      'unknown-outcome',
      status === 303
        ? sentence('The service responded with a redirect to the result.')
        : sentence('The service failed while processing the request.'),
    ];
  if (status >= 500)
    return ['unavailable', sentence('The service has a problem. Try again later.')];
  if (status >= 400) return ['rejected', sentence('The service rejected the request.')];
  return [
    'bad-answer',
    sentence('The service responded with a redirect. Check {setting} in {settings}.', place),
  ];
}

/** Adds the service's own words to the reason of a refusal. */
const quoted = (reason: Said, said: string, isKnown: boolean): Sentence =>
  isKnown
    ? sentence('{reason} The service said: {said}', { reason, said })
    : sentence('{reason} It said: {said}', { reason, said });

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
  const [code, classified, keyField] = classify(settings, operation, response, fault);
  const known = code === 'unknown-outcome' ? undefined : fault.known;
  // The service's message follows even a known code, because another service may use the code for something else. About wrong
  // credentials the service names one of the two, often not the wrong one, so that message is left out.
  const isQuoted = serviceMessage && response.status !== 401;
  const reason = known ? { text: known.sentence } : classified;
  const message = isQuoted ? quoted(reason, serviceMessage, Boolean(known)) : reason;
  const said =
    serviceCode === undefined
      ? message
      : sentence('{message} ({code})', { message, code: String(serviceCode) });
  const field =
    operation.fields.find(({ name }) => parameters.includes(name))?.key ??
    [known?.field, keyField].find((key) =>
      operation.fields.some((candidate) => candidate.key === key),
    );
  const requestId = withoutSecrets(settings, response.requestId);
  const details: ErrorDetails = { ...response, requestId, serviceCode, serviceMessage, field };
  return new TelephonyError(code, said, details);
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
  const unreadable = sentence("The service's response could not be read.");
  const requestId = withoutSecrets(settings, response.requestId);
  const details: ErrorDetails = { ...response, requestId };
  throw isAction(operation) && isOutcomeUnknown(response)
    ? new TelephonyError('unknown-outcome', unreadable, details)
    : new TelephonyError(
        'bad-answer',
        sentences(
          unreadable,
          sentence('Check {setting} in {settings}.', {
            setting: settings.setting,
            settings: settingsLocation(),
          }),
        ),
        details,
      );
}
