import {
  isMissing,
  type Operation,
  type TimeReader,
  timeWriter,
  withReadableTimes,
} from '../../../src/builder.ts';
import type { Application } from './nocobase.ts';
import { textOf } from './text-of.ts';

const given = (value: unknown) => (isMissing(value) ? undefined : textOf(value));

/** Reads the language and time zone of a browser's request. */
export function timeReader(sent: unknown): TimeReader {
  const { locale, timeZone } = Object(sent);
  return { locale: given(locale), timeZone: given(timeZone) };
}

async function appReader({ db }: Pick<Application, 'db'>): Promise<TimeReader> {
  const settings = await db.getRepository('systemSettings').findOne({ filterByTk: '1' });
  const { appLang, enabledLanguages } = Object(settings?.toJSON());
  return { locale: given([enabledLanguages].flat()[0] ?? appLang) };
}

/**
 * Writes the times in the texts of an input in the language and time zone of the app, because no user waits for it.
 *
 * @param typed what was configured
 */
export async function withAppTimes<Input extends Record<string, unknown>>(
  app: Pick<Application, 'db'>,
  operation: Pick<Operation, 'fields'>,
  input: Input,
  typed: Record<string, unknown> = {},
): Promise<Input> {
  let hasTimes = false;
  const note = () => {
    hasTimes = true;
    return '';
  };
  withReadableTimes(operation, input, note, typed);
  if (!hasTimes) return input;
  return withReadableTimes(operation, input, timeWriter(await appReader(app)), typed);
}
