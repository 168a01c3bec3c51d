/** Where a request went wrong, for programs. These strings are stable. */
export type ErrorCode =
  | 'settings'
  | 'input'
  | 'unauthorised'
  | 'not-found'
  | 'rejected'
  | 'rate-limited'
  | 'unavailable'
  | 'timeout'
  | 'aborted'
  | 'unknown-outcome'
  | 'bad-answer';

/** What is known about a failure besides its code and its sentence. */
export interface ErrorDetails {
  /** The key of the setting or input to change. */
  field?: string | undefined;
  /** The HTTP status of the answer. */
  status?: number | undefined;
  /** The service's own error code: a number such as 21211, or a text such as S1001 where a service has those. */
  serviceCode?: number | string | undefined;
  /** The service's own message, cleaned and shortened. */
  serviceMessage?: string | undefined;
  /** What the service's support asks for. */
  requestId?: string | undefined;
  /** How long the service asks to wait, in seconds. */
  retryAfter?: number | undefined;
  /** What was asked of the service, as method and path below the account, such as `GET /….json`. */
  request?: string | undefined;
}

/**
 * The one error that leaves this package. Its message is a sentence for people, also those who only use an app;
 * `code` is for programs. It never holds a secret, neither itself nor as a cause.
 */
export class TelephonyError extends Error {
  override readonly name = 'TelephonyError';
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly status: number | undefined;
  readonly serviceCode: number | string | undefined;
  readonly serviceMessage: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly request: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message);
    this.code = code;
    this.field = details.field;
    this.status = details.status;
    this.serviceCode = details.serviceCode;
    this.serviceMessage = details.serviceMessage;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.request = details.request;
    // A log shows the stack, and those who read it want to know what was asked.
    if (this.request && this.stack)
      this.stack = this.stack.replace(message, () => `${message} [${this.request}]`);
  }
}

/** The error of a request that was stopped before it could change anything. */
export const stopped = () => new TelephonyError('aborted', 'The request was aborted.');
