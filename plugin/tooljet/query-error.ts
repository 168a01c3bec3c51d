import { TelephonyError } from '../../src/builder.ts';

/** An error whose message ToolJet shows. It knows it by the name of its class, which the minified code must keep. */
export class QueryError extends Error {
  static override readonly name = 'QueryError';
  readonly description: string;
  readonly data: { code?: string; field?: string };

  constructor(error: unknown) {
    const message = error instanceof Error ? error.message : String(error);
    super(message);
    this.description = message;
    const { code, field } = error instanceof TelephonyError ? error : {};
    this.data = { ...(code && { code }), ...(field && { field }) };
  }
}
