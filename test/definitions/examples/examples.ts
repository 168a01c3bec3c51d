/** Examples for a schema. Each invalid one has a single fault. */
export interface Examples {
  valid: object[];
  invalid: {
    reason: string;
    example: object;
    /** The position of the fault, and the keyword that finds it. */
    fault: string;
  }[];
}

export function without(object: object, key: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
