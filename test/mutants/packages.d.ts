// It is installed when the mutants are first run.
declare module '@stryker-mutator/api/core' {
  export type PartialStrykerOptions = Record<string, unknown>;
}
