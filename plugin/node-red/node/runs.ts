/** What a message has set going. */
export interface Run {
  /** Aborted when it is to stop. What is being changed at the service then still comes to its end. */
  stop: AbortSignal;
  /** Aborted when there is no time left for that. */
  end: AbortSignal;
}

/** What a node has in progress. Each message has its own signals, since any number of them can wait. */
export class Runs {
  readonly #underWay = new Map<{ stop: AbortController; end: AbortController }, Promise<void>>();
  #isClosing = false;

  /** Whether the node is being closed, so that Catch nodes may hear nothing any more. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /**
   * Begins what a message asks for.
   *
   * @param work does it, and never rejects
   */
  begin(work: (run: Run) => Promise<void>): void {
    const controllers = { stop: new AbortController(), end: new AbortController() };
    if (this.#isClosing) controllers.stop.abort();
    const run = { stop: controllers.stop.signal, end: controllers.end.signal };
    const ended = work(run).finally(() => this.#underWay.delete(controllers));
    this.#underWay.set(controllers, ended);
  }

  /** Stops all that is in progress. */
  stop(): void {
    for (const { stop } of this.#underWay.keys()) stop.abort();
  }

  /**
   * Stops all, now and from now on, and waits for what comes to its end.
   *
   * @param patience how long that may take, in milliseconds
   */
  async close(patience: number): Promise<void> {
    this.#isClosing = true;
    this.stop();
    const timer = setTimeout(() => {
      for (const { end } of this.#underWay.keys()) end.abort();
    }, patience);
    await Promise.all(this.#underWay.values());
    clearTimeout(timer);
  }
}
