/** One attempt to send a request. */
export interface RequestReport {
  /** The id of the operation. For media, and confirmations that no operation reads, the id of the record's shape. */
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
