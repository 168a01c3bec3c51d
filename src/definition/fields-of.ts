import type { KeysOf } from './id-of.ts';

/** The same object. Named so that the error of a misspelt field lists the fields: compilers write a type's name with its arguments. */
export type Fields<Of, _Names = Extract<KeysOf<Of>, string>> = { [Key in keyof Of]: Of[Key] };
