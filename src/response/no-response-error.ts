import { isAction, type Operation } from '../definition/operation.ts';
import { abortedError, TelephonyError } from '../telephony-error.ts';
import { sentence } from '../text/sentence.ts';
import { settingsLocation } from '../text/settings-location.ts';
import type { Connection } from '../wire/connection.ts';
import type { NoResponse } from '../wire/exchanged.ts';
import { proxyErrorReason } from '../wire/exchanged.ts';
import { isOutcomeUnknown } from './outcome.ts';

/** Returns the error of a response that is missing or incomplete, although the request may have reached the service. */
function incompleteResponse(
  { code }: NoResponse,
  host: string,
  { limits, setting }: Connection,
): TelephonyError {
  if (code === 'ERR_TOO_LARGE')
    return new TelephonyError(
      'bad-answer',
      sentence('The response of the service at {host} is too large. Use a smaller page size.', {
        host,
      }),
    );
  if (code.startsWith('HPE_'))
    return new TelephonyError(
      'bad-answer',
      sentence(
        'The server at {host} did not send an HTTP response. Check {setting} in {settings}.',
        { host, setting, settings: settingsLocation() },
      ),
    );
  const waitedMs = { ETIMEDOUT: limits.idleTimeoutMs, ERR_DEADLINE: limits.timeoutMs }[code];
  if (waitedMs !== undefined)
    return new TelephonyError(
      'timeout',
      sentence('The service at {host} did not respond within {seconds} seconds. Try again later.', {
        host,
        seconds: waitedMs / 1000,
      }),
    );
  return new TelephonyError(
    'unavailable',
    sentence('The connection to the service at {host} broke ({code}). Try again later.', {
      ...{ host, code },
    }),
  );
}

/**
 * Returns the error of a request that got no response.
 *
 * @param connection the account
 * @param operation the operation that it was for; undefined for audio
 * @param reason why there is no response
 * @param signal the signal that may have aborted it
 */
export function noResponseError(
  connection: Connection,
  operation: Operation | undefined,
  reason: NoResponse,
  signal: AbortSignal | undefined,
): TelephonyError {
  const { host } = new URL(connection.origin);
  if (operation && isAction(operation) && isOutcomeUnknown(reason))
    return new TelephonyError(
      'unknown-outcome',
      sentence("The service's response could not be read."),
    );
  if (signal?.aborted) return abortedError();
  if (reason.mayHaveArrived || reason.code === 'ETIMEDOUT' || reason.code === 'ERR_DEADLINE')
    return incompleteResponse(reason, host, connection);
  const proxyReason = proxyErrorReason(reason.code);
  if (proxyReason)
    return new TelephonyError(
      'unavailable',
      sentence(
        "The plugin cannot reach the service at {host} through the proxy: {reason}. Check HTTPS_PROXY and NO_PROXY in this server's environment.",
        { host, reason: proxyReason },
      ),
    );
  return new TelephonyError(
    'unavailable',
    sentence(
      "The plugin cannot reach the service at {host} ({code}). Check {setting} in {settings} and this server's network.",
      { host, code: reason.code, setting: connection.setting, settings: settingsLocation() },
    ),
  );
}
