import { inEnglish, type Said, sentence } from './text/sentence.ts';

/** The kind of failure, for programs. These strings are stable. */
export type ErrorCode =
  | 'settings'
  | 'input'
  | 'unauthorised'
  | 'not-found'
  | 'rejected'
  | 'rate-limited'
  | 'limit-reached'
  | 'unavailable'
  | 'timeout'
  | 'aborted'
  | 'unknown-outcome'
  | 'bad-answer';

/** The page that explains each code, as a path in every package of the plugin. No website has it yet. */
const explanations = 'docs/troubleshooting.md';

/** Details of a failure, as far as they are known. */
export interface ErrorDetails {
  /** The key of the setting or input to change. */
  field?: string | undefined;
  /** The HTTP status of the response. */
  status?: number | undefined;
  /** The service's own error code: a number such as 21211, or with some services a text such as S1001. */
  serviceCode?: number | string | undefined;
  /** The service's own message, cleaned and shortened. */
  serviceMessage?: string | undefined;
  /** The id of the request, which the service's support asks for. */
  requestId?: string | undefined;
  /** How long the service asks to wait, in seconds. */
  retryAfter?: number | undefined;
  /** The method and the path below the account, such as `GET /….json`. */
  request?: string | undefined;
}

/**
 * The error of every failure. Its message is a sentence that the users of an app can understand; `code` is for programs. It contains no
 * secret, and neither does its cause.
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
  readonly #said: Said;

  /**
   * @param said the message: a sentence that is translated when it is shown, or a text
   */
  constructor(code: ErrorCode, said: Said, details: ErrorDetails = {}) {
    const message = inEnglish(said);
    super(message);
    this.#said = said;
    this.code = code;
    this.field = details.field;
    this.status = details.status;
    this.serviceCode = details.serviceCode;
    this.serviceMessage = details.serviceMessage;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.request = details.request;
    // Logs show the stack, and should show the request.
    if (this.request && this.stack)
      this.stack = this.stack.replace(message, () => `${message} [${this.request}]`);
  }

  /** The message as a sentence, for builders that show it in the language of a person. */
  get said(): Said {
    return this.#said;
  }

  /** Where the documentation explains the code, such as `docs/troubleshooting.md#input` in the folder of the package. */
  get docs(): string {
    return `${explanations}#${this.code}`;
  }
}

/** Creates the error of a request that was aborted before it could change anything. */
export const abortedError = () =>
  new TelephonyError('aborted', sentence('The request was aborted.'));
