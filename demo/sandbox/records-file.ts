import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Call, Message, Recording } from './records.ts';

/** The records of an account, each list newest first. */
export interface Records {
  calls: Call[];
  recordings: Recording[];
  messages: Message[];
}

/**
 * Reads the records in `file`; undefined if it does not exist. Throws an `Error` with what to do if the file is damaged or holds the
 * records of another account or base path.
 *
 * @param root the path of the account
 */
export function readRecords(file: string, root: string): Records | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return checked(JSON.parse(readFileSync(file, 'utf8')), root);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(
      `The sandbox cannot use the records in ${file} (${reason}). ` +
        'Delete that file to start with fresh demo records, or name another file.',
    );
  }
}

/**
 * Writes the records atomically. Throws an `Error` with what to do if the file cannot be written.
 */
export function writeRecords(file: string, root: string, records: Records): void {
  const { calls, recordings, messages } = records;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, JSON.stringify({ root, calls, recordings, messages }));
    renameSync(`${file}.new`, file);
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(
      `The sandbox cannot keep its records in ${file} (${reason}). Name another file.`,
    );
  }
}

function checked(content: unknown, root: string): Records {
  const { calls, recordings, messages, ...rest } = Object(content) as Partial<Records> &
    Record<string, unknown>;
  if (!isRecordList(calls) || !isRecordList(recordings) || !isRecordList(messages)) {
    throw new Error('it holds no list of calls, recordings and messages');
  }
  if (rest.root !== root) throw new Error(`it belongs to ${rest.root}, not to ${root}`);
  return { calls, recordings, messages };
}

function isRecordList<T>(list: T[] | undefined): list is T[] {
  return Array.isArray(list) && list.every((one) => typeof Object(one).sid === 'string');
}
