interface Task {
  /** Unix time in milliseconds, by this clock. */
  at: number;
  run: () => void;
}

/** The sandbox's clock, with scheduled tasks. `pass` advances it; a fixed clock advances only that way. */
export class Clock {
  #ahead = 0;
  #tasks: Task[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param given a fixed time, or a clock to follow; the machine's by default */
  constructor(private readonly given: Date | (() => Date) = () => new Date()) {}

  readonly now = (): Date => new Date(this.#base() + this.#ahead);

  /** Runs a task after some milliseconds of this clock. */
  after(milliseconds: number, run: () => void): void {
    this.#tasks.push({ at: this.now().getTime() + milliseconds, run });
    this.#tasks.sort((one, other) => one.at - other.at);
    this.#arm();
  }

  /** Advances the clock, and runs the tasks that become due, each at its time. */
  pass(seconds: number): void {
    const end = this.now().getTime() + seconds * 1000;
    for (let next = this.#tasks[0]; next && next.at <= end; next = this.#tasks[0]) {
      this.#tasks.shift();
      this.#ahead = Math.max(this.#ahead, next.at - this.#base());
      next.run();
    }
    this.#ahead = Math.max(this.#ahead, end - this.#base());
    this.#arm();
  }

  /** Removes all tasks and returns to the initial time. */
  clear(): void {
    this.#tasks = [];
    this.#ahead = 0;
    this.#arm();
  }

  #base(): number {
    return (this.given instanceof Date ? this.given : this.given()).getTime();
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const [next] = this.#tasks;
    if (!next || this.given instanceof Date) return;
    const wait = Math.max(next.at - this.now().getTime(), 0);
    this.#timer = setTimeout(() => this.pass(0), wait).unref();
  }
}
