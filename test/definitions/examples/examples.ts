/** Examples of a schema. Each invalid one differs from a valid one in a single fault. */
export interface Examples {
  valid: object[];
  invalid: {
    reason: string;
    example: object;
    /** Where the schema finds the fault, and by which keyword. */
    fault: string;
  }[];
}

export function without(object: object, key: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
