// Written so that the error of a misspelt id lists the ids.
export type KeysOf<Table> = { [Key in keyof Table]-?: Key } extends infer Keys
  ? Keys[keyof Keys]
  : never;

/** The known ids that begin like a misspelt one, or all if none does. Of many ids, an error lists only some, so it should list these. */
type Alike<Known extends string, Id extends string> =
  KeysOf<{
    [One in Known as Id extends `${infer First}${string}`
      ? One extends `${First}${string}`
        ? One
        : never
      : never]: One;
  }> extends infer Found extends string
    ? [Found] extends [never]
      ? Known
      : Found
    : never;

/** A literal id must be a known one. An id that is known only at run time can be any text. */
export type IdOf<Known extends string, Id extends string> = string extends Id
  ? Id
  : Id extends Known
    ? Id
    : Alike<Known, Id>;
