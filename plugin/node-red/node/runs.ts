/** What a message started. */
export interface Run {
  /** Aborted to stop. A change in progress at the service still finishes. */
  stop: AbortSignal;
  /** Aborted when there is no time left to finish. */
  end: AbortSignal;
}

/** What a node has in progress. Each message has its own signals, since any number of them can wait. */
export class Runs {
  readonly #inProgress = new Map<{ stop: AbortController; end: AbortController }, Promise<void>>();
  #isClosing = false;

  /** Whether the node is being closed, when Catch nodes may be closed already. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /**
   * Starts the work of a message.
   *
   * @param work does it, and never rejects
   */
  begin(work: (run: Run) => Promise<void>): void {
    const controllers = { stop: new AbortController(), end: new AbortController() };
    if (this.#isClosing) controllers.stop.abort();
    const run = { stop: controllers.stop.signal, end: controllers.end.signal };
    const ended = work(run).finally(() => this.#inProgress.delete(controllers));
    this.#inProgress.set(controllers, ended);
  }

  /** Stops all that is in progress. */
  stop(): void {
    for (const { stop } of this.#inProgress.keys()) stop.abort();
  }

  /**
   * Stops all, now and from now on, and waits for what finishes.
   *
   * @param timeoutMs how long that may take
   */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosing = true;
    this.stop();
    const timer = setTimeout(() => {
      for (const { end } of this.#inProgress.keys()) end.abort();
    }, timeoutMs);
    await Promise.all(this.#inProgress.values());
    clearTimeout(timer);
  }
}
