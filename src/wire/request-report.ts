/** One attempt to send a request. */
export interface RequestReport {
  /** The operation's id; the id of the record's shape for media and confirmations read by no operation. */
  operation: string;
  /** The method and the path below the account, with placeholders instead of values. */
  request: string;
  /** The HTTP status; undefined if no response came. */
  status: number | undefined;
  /** The time from sending to the end of the response, in milliseconds; to its headers for media. */
  durationMs: number;
  /** 1 for the first attempt. */
  attempt: number;
}
