/** The run that a message started. */
export interface Run {
  /** Aborts to stop the run. A write in progress at the service still finishes. */
  stop: AbortSignal;
  /** Aborts when there is no time left to finish. */
  end: AbortSignal;
}

/** The runs in progress of a node. Each has its own signals, because any number of runs can wait. */
export class Runs {
  readonly #inProgress = new Map<{ stop: AbortController; end: AbortController }, Promise<void>>();
  #isClosing = false;

  /** Whether the node is closing. Catch nodes may be closed already. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /**
   * Starts a run.
   *
   * @param work does the work, and never rejects
   */
  start(work: (run: Run) => Promise<void>): void {
    const controllers = { stop: new AbortController(), end: new AbortController() };
    if (this.#isClosing) controllers.stop.abort();
    const run = { stop: controllers.stop.signal, end: controllers.end.signal };
    const ended = work(run).finally(() => this.#inProgress.delete(controllers));
    this.#inProgress.set(controllers, ended);
  }

  /** Stops all runs in progress. */
  stop(): void {
    for (const { stop } of this.#inProgress.keys()) stop.abort();
  }

  /**
   * Stops all runs, also later ones, and waits for them to finish.
   *
   * @param timeoutMs the maximum wait
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
