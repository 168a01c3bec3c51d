const { stdout, stderr } = process;

/**
 * Ignores that the reader has closed the output, as `head` does.
 *
 * @param {Error} error
 */
function stopWriting(error) {
  if (!('code' in error) || error.code !== 'EPIPE') throw error;
}

/** @param {string} text */
function write(text) {
  if (stdout.listenerCount('error', stopWriting) === 0) stdout.on('error', stopWriting);
  stdout.write(text);
}

/** @param {NodeJS.WriteStream} stream */
const colours = (stream) => Boolean(stream.isTTY) && stream.getColorDepth() > 1;

/** @type {(stream: NodeJS.WriteStream, code: number, text: string) => string} */
const paint = (stream, code, text) => (colours(stream) ? `\x1b[${code}m${text}\x1b[0m` : text);

/** An error whose message says what is wrong and what to do. */
export class Advice extends Error {}

/** @param {string} text */
export function say(text) {
  write(`${text}\n`);
}

/** @param {unknown} error */
const stackOf = (error) => (error instanceof Error ? error.stack : String(error));

/**
 * Prints an error: advice as a sentence, anything else with its stack.
 *
 * @param {unknown} error
 */
export function complain(error) {
  const text = error instanceof Advice ? error.message : stackOf(error);
  stderr.write(`${paint(stderr, 31, 'Stopped.')} ${text}\n`);
}

/** @param {number} since */
function duration(since) {
  const seconds = Math.round((performance.now() - since) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs a step, and shows its label and duration.
 *
 * @param {string} label the step's name
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 * @template T
 */
export async function step(label, work) {
  const since = performance.now();
  const show = (end = '') => {
    const line = `${label} … ${duration(since)}${end}`;
    write(stdout.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
  if (stdout.isTTY) show();
  else say(`${label} …`);
  const timer = setInterval(show, stdout.isTTY ? 1_000 : 30_000);
  try {
    const result = await work();
    show(', done');
    return result;
  } catch (error) {
    show(', failed');
    throw error;
  } finally {
    clearInterval(timer);
    if (stdout.isTTY) say('');
  }
}

/**
 * Prints lines in a frame, or without one if there is no terminal.
 *
 * @param {string[]} lines
 */
export function box(lines) {
  if (!stdout.isTTY) return say(lines.join('\n'));
  const width = Math.max(...lines.map((line) => line.length));
  const rule = '─'.repeat(width + 2);
  const [first = '', ...rest] = lines.map((line) => line.padEnd(width));
  const title = paint(stdout, 1, first);
  const rows = [title, ...rest].map((line) => `│ ${line} │`);
  say([`╭${rule}╮`, ...rows, `╰${rule}╯`].join('\n'));
}
