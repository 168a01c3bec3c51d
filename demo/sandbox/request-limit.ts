/** How many requests the service takes in a time; it refuses the others with 429. */
export interface RequestLimit {
  requests: number;
  /** 1 unless given. */
  seconds?: number;
  /** Whether it says by `Retry-After` how long to wait; it does unless this is false. */
  saysWhen?: boolean;
}

/** Counts requests by a clock, in windows that follow each other. */
export class RequestCount {
  #window = Number.NaN;
  #taken = 0;

  constructor(
    private readonly limit: RequestLimit | undefined,
    private readonly now: () => Date,
  ) {}

  /** Takes a request: undefined where it may be answered, otherwise how many whole seconds it is too early. */
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

  /** Whether a refusal says how long to wait. */
  get saysWhen() {
    return this.limit?.saysWhen ?? true;
  }

  clear(): void {
    this.#taken = 0;
  }
}
