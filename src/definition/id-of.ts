// Written so that the error of a misspelt id lists the ids.
export type KeysOf<Table> = { [Key in keyof Table]: Key } extends infer Keys
  ? Keys[keyof Keys]
  : never;

/** A literal id must be a known one. An id that is known only at run time can be any text. */
export type IdOf<Known extends string, Id extends string> = string extends Id
  ? Id
  : Id extends Known
    ? Id
    : Known;
