interface Task {
  /** In milliseconds since 1970, by this clock. */
  at: number;
  run: () => void;
}

/** The sandbox's clock, and what is to happen by it. It can be put forward, and a fixed one goes on only then. */
export class Clock {
  #ahead = 0;
  #tasks: Task[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** @param given where it stands still, or what it goes with; without it, it goes with the machine's */
  constructor(private readonly given: Date | (() => Date) = () => new Date()) {}

  readonly now = (): Date => new Date(this.#base() + this.#ahead);

  /** Lets something happen after a time, in milliseconds of this clock. */
  after(milliseconds: number, run: () => void): void {
    this.#tasks.push({ at: this.now().getTime() + milliseconds, run });
    this.#tasks.sort((one, other) => one.at - other.at);
    this.#arm();
  }

  /** Puts it forward, and lets everything happen meanwhile, each in its time. */
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

  /** Forgets scheduled happenings and the time that was passed. */
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
