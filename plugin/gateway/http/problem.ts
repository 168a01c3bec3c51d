import { STATUS_CODES } from 'node:http';
import { definitions, type ErrorCode, TelephonyError } from '../../../src/builder.ts';
import { NotAllowed } from '../gateway.ts';

/** The codes of what only the gateway refuses. */
type OwnCode =
  | 'key-required'
  | 'not-allowed'
  | 'idempotency-key-required'
  | 'idempotency-key-reused'
  | 'in-progress'
  | 'too-many-requests'
  | 'bad-request'
  | 'failed';

/** The HTTP status of each code. */
const statuses: Record<ErrorCode | OwnCode, number> = {
  settings: 500,
  input: 400,
  unauthorised: 502,
  'not-found': 404,
  rejected: 422,
  'rate-limited': 429,
  'limit-reached': 429,
  unavailable: 503,
  timeout: 504,
  aborted: 503,
  'unknown-outcome': 502,
  'bad-answer': 502,
  'key-required': 401,
  'not-allowed': 403,
  'idempotency-key-required': 400,
  'idempotency-key-reused': 422,
  'in-progress': 409,
  'too-many-requests': 429,
  'bad-request': 400,
  failed: 500,
};

/** What only the gateway refuses. */
export class Refusal extends Error {
  constructor(
    readonly code: OwnCode,
    message: string,
    readonly details: { field?: string; retryAfter?: number; status?: number } = {},
  ) {
    super(message);
  }
}

/** Problem details, as RFC 9457 has them. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  field?: string;
  retryAfter?: number;
  serviceCode?: number | string;
  serviceMessage?: string;
  requestId?: string;
}

/** Identifies a kind of problem. No website has the pages. */
const typeOf = (code: string) => `urn:${definitions.manifest.id}:${code}`;

const titleOf = (code: string) => {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const given = <Details extends object>(details: Details) =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));

function problem(code: ErrorCode | OwnCode, detail: string, details: object = {}): Problem {
  const status = Reflect.get(details, 'status') ?? statuses[code];
  return { type: typeOf(code), title: titleOf(code), detail, code, ...given(details), status };
}

/** An error of Fastify itself, such as that of a body that is too large. */
interface FastifyFault {
  statusCode: number;
  code: string;
}

const isFault = (error: unknown): error is FastifyFault & Error =>
  error instanceof Error && Number(Reflect.get(error, 'statusCode')) < 500;

/** Returns the problem details of an error. What isn't known shows nothing of itself. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) return problem(error.code, error.message, error.details);
  if (error instanceof TelephonyError) {
    const { field, retryAfter, serviceCode, serviceMessage, requestId } = error;
    const code = error instanceof NotAllowed ? 'not-allowed' : error.code;
    return problem(code, error.message, {
      ...{ field, retryAfter, serviceCode, serviceMessage, requestId },
    });
  }
  if (isFault(error)) {
    const { statusCode: status, message } = error;
    const detail =
      status === 415
        ? 'Send the body as JSON, with the header Content-Type: application/json.'
        : `${STATUS_CODES[status]}: ${message}.`.replace('..', '.');
    return problem('bad-request', detail, { status });
  }
  return problem(
    'failed',
    'The gateway failed. If this was an action, repeat it with the same Idempotency-Key.',
  );
}
