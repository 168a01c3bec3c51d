import { TelephonyError } from '../telephony-error.ts';
import { sentence } from '../text/sentence.ts';

/**
 * Reports that the store failed before anything was sent.
 *
 * @throws {TelephonyError} the same error, or one with code `unavailable`
 */
export function storeProblem(error: unknown): never {
  if (error instanceof TelephonyError) throw error;
  const { code } = Object(error) as { code?: unknown };
  throw new TelephonyError(
    'unavailable',
    code
      ? sentence(
          'Nothing was sent: the plugin could not use its store ({code}). Try again in a moment.',
          { code: String(code) },
        )
      : sentence('Nothing was sent: the plugin could not use its store. Try again in a moment.'),
  );
}
