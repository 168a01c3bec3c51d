import { isAction, type Operation } from '../definition/operation.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import { settingsLocation } from '../settings/settings-location.ts';
import { type ErrorCode, type ErrorDetails, TelephonyError } from '../telephony-error.ts';
import type { ServiceResponse } from '../wire/send-request.ts';
import { isOutcomeUnknown } from './outcome.ts';
import { type ServiceFault, serviceFault, unknownResource } from './service-fault.ts';
import { withoutSecrets } from './without-secrets.ts';

// What a service says is wrong is short. To look for credentials in all of a long answer would hold up everything else.
const longestFault = 100_000;

type Classified = [code: ErrorCode, sentence: string, field?: string];

// Only a service's own code proves that it knows the resource and has no such record.
function notKnown(operation: Operation, { serviceCode }: ServiceFault): Classified {
  const orLacks = serviceCode === unknownResource ? '' : `, or does not offer "${operation.name}"`;
  const looksUp = operation.fields.find((field) => field.in === 'path');
  return looksUp
    ? [
        'not-found',
        `The service has no record with this "${looksUp.label}"${orLacks}.`,
        looksUp.key,
      ]
    : [
        'not-found',
        `The service does not know this account${orLacks}. Check the username (the Account SID) and the base URL in ${settingsLocation()}.`,
      ];
}

/** A sentence for each kind of refusal; what the service said stands behind it. */
function classify(operation: Operation, answer: ServiceResponse, fault: ServiceFault): Classified {
  const { status } = answer;
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
  if (status === 404) return notKnown(operation, fault);
  if (status === 429)
    return ['rate-limited', 'The service received too many requests. Wait a moment and try again.'];
  if (isAction(operation) && isOutcomeUnknown(answer))
    return [
      'unknown-outcome',
      status === 303
        ? 'The service answered the request with a redirect to its result.'
        : 'The service failed while processing the request.',
    ];
  if (status >= 500) return ['unavailable', 'The service has a problem. Try again later.'];
  if (status >= 400) return ['rejected', 'The service rejected the request.'];
  return [
    'bad-answer',
    `The service answered with a redirect. Check the base URL in ${settingsLocation()}.`,
  ];
}

/**
 * What an answer with a status of its own means: why the service did not do what it was asked.
 *
 * @param settings whose credentials must not be in it
 * @param operation what the service was asked
 * @param answer with a status below 200 or above 299
 */
export function refusal(
  settings: CheckedSettings,
  operation: Operation,
  answer: ServiceResponse,
): TelephonyError {
  const fault = serviceFault(settings, answer.text.slice(0, longestFault));
  const { serviceCode, serviceMessage, parameters } = fault;
  const [code, sentence, lookedUp] = classify(operation, answer, fault);
  // One service's code can mean something else at another, so that what the service says stands behind it.
  const known = code === 'unknown-outcome' ? undefined : fault.known;
  // What the service says of wrong credentials names one of the two, and often not the wrong one.
  const isSaid = serviceMessage && answer.status !== 401;
  const said = isSaid ? ` ${known ? 'The service' : 'It'} said: ${serviceMessage}` : '';
  const number = serviceCode === undefined ? '' : ` (${serviceCode})`;
  const field =
    operation.fields.find(({ name }) => parameters.includes(name))?.key ??
    [known?.field, lookedUp].find((key) =>
      operation.fields.some((candidate) => candidate.key === key),
    );
  const requestId = withoutSecrets(settings, answer.requestId);
  const details: ErrorDetails = { ...answer, requestId, serviceCode, serviceMessage, field };
  return new TelephonyError(code, (known?.sentence ?? sentence) + said + number, details);
}
