/** Set by `jest.config.mjs`. */
declare const isSoak: boolean;

/** How many rounds a `*.soak.test.ts` runs: few at its own level, many in `npm run test:soak`. */
export const size = (short: number, long: number): number => (isSoak ? long : short);
