/** The rate limit of a service, which refuses further requests with 429. */
export interface RequestLimit {
  requests: number;
  /** The length of the time window; 1 by default. */
  seconds?: number;
  /** Whether a 429 has a `Retry-After` header; true by default. */
  saysWhen?: boolean;
}

/** Counts requests in consecutive time windows. */
export class RequestCount {
  #window = Number.NaN;
  #taken = 0;

  constructor(
    private readonly limit: RequestLimit | undefined,
    private readonly now: () => Date,
  ) {}

  /** Counts a request. Returns undefined if it is within the limit, otherwise the whole seconds to wait. */
  take(): number | undefined {
    if (!this.limit) return undefined;
    const length = (this.limit.seconds ?? 1) * 1000;
    const time = this.now().getTime();
    const window = Math.floor(time / length);
    if (window !== this.#window) this.#taken = 0;
    this.#window = window;
    if (this.#taken >= this.limit.requests) return Math.ceil(((window + 1) * length - time) / 1000);
    this.#taken += 1;
    return undefined;
  }

  /** Whether a 429 has a `Retry-After` header. */
  get saysWhen() {
    return this.limit?.saysWhen ?? true;
  }

  clear(): void {
    this.#taken = 0;
  }
}
