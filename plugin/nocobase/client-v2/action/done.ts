/** What the server answers when an action is done. */
export interface Done {
  record: Record<string, unknown>;
  /** The sentence that says so. */
  message: string;
}
