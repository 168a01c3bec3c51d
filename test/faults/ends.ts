import type { Fault, Outcome } from './run-against-fault.ts';

/** The end of an operation, without the words of its error. */
export interface End {
  attempts: number;
  arrived: number;
  stored: number | undefined;
  result: unknown;
  code: string | undefined;
}

/** What differs with another HTTP function, by the names of faults. */
export interface Differences {
  /** It doesn't say that nothing was sent, so an action isn't sent again. */
  unproven: string[];
  /** It doesn't accept the response, and reports it like a broken connection. */
  broken: string[];
  others: Record<string, Partial<End>>;
}

export const endOf = ({ attempts, arrived, stored, result, error }: Outcome): End => ({
  ...{ attempts, arrived, stored, result },
  code: error && Reflect.get(error, 'code'),
});

/** The expected end of an operation with another HTTP function. */
export function endWith(
  { unproven, broken, others }: Differences,
  fault: Fault,
  operation: 'read' | 'write',
): End {
  const { name } = fault;
  const end = endOf(fault[operation]);
  const isBroken = broken.includes(name);
  if (operation === 'write' && (isBroken || unproven.includes(name)))
    return { ...end, attempts: 1, code: 'unknown-outcome' };
  if (isBroken) return { ...end, attempts: 3, arrived: 3, code: 'unavailable' };
  return { ...end, ...others[`${name}, ${operation}`] };
}
