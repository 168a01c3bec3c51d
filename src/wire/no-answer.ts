/**
 * Why a request got no answer. It is no error of axios's, which would hold the request with its credentials.
 *
 * Besides Node's own codes, such as `ECONNREFUSED` or `HPE_…`, there are `ETIMEDOUT` for silence, `ERR_DEADLINE`,
 * `ERR_TOO_LARGE`, `ERR_CANCELED`, for a body that broke off `ERR_BAD_RESPONSE`, and those of a proxy (`proxyFault`).
 */
export class NoAnswer {
  readonly code: string;
  /** Whether a connection stood that the request could be sent over. Without one, nothing was. */
  readonly mayHaveArrived: boolean;

  constructor(code: string, mayHaveArrived: boolean) {
    this.code = code;
    this.mayHaveArrived = mayHaveArrived;
  }
}
