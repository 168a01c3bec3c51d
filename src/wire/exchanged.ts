/** A request to an endpoint. */
export interface ExchangeRequest {
  method?: string;
  url: string;
  headers?: Record<string, string>;
  /** The body. */
  data?: string | undefined;
  /** Whether the body of the response is a stream instead of text. */
  responseType?: 'stream';
  /** Aborts the request. */
  abortSignal: AbortSignal | undefined;
}

/** A body while it arrives. */
export type MediaBody = AsyncIterable<Uint8Array> & { destroy(): unknown };

/** A response. */
export interface Exchanged<Data> {
  status: number;
  headers: Readonly<Partial<Record<string, string>>>;
  data: Data;
}
