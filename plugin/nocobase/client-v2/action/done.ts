/** Values by key. */
export type Values = Record<string, unknown>;

/** What the server answers when an action is done. */
export interface Done {
  record: Values;
  /** The sentence that says so. */
  message: string;
}
