import type { EventDefinition } from '../../../generated/definition-types.ts';
import { eventDefinition, recordShape } from '../../definition/operation.ts';
import { fieldTypes } from '../../field-types/field-types.ts';
import { isMissing } from '../../input/check-values.ts';
import { fieldProblem, type Problem, problemsError } from '../../input/problem.ts';
import type { TelephonyRecord } from '../../response/read-record.ts';
import { checkSettings, type TelephonySettings } from '../../settings/check-settings.ts';
import { sentence } from '../../text/sentence.ts';
import { eventRecord, parametersOf } from '../deliver/event-record.ts';

type Values = Readonly<Record<string, unknown>>;

/** The values that identify no event, or that the record can't hold. */
function problemsOf(
  { identifiedBy, parameters, result }: EventDefinition,
  values: Values,
  record: TelephonyRecord,
): Problem[] {
  return recordShape(result.of).fields.flatMap((field) => {
    const { key, type } = field;
    if (identifiedBy.includes(key) && isMissing(values[key]))
      return [{ key, said: fieldProblem(field, sentence('is missing')) }];
    const isFilled = parameters.some((parameter) => parameter.key === key);
    const isLost = isFilled && !isMissing(values[key]) && isMissing(record[key]);
    return isLost ? [{ key, said: fieldProblem(field, fieldTypes[type].requirement(field)) }] : [];
  });
}

/**
 * Returns the record of a sample event, exactly as a received event with these values has it: fields that no parameter
 * of the event fills are empty, and dates of receipt are now. Makes no request and receives nothing.
 *
 * @param id the event's id
 * @param values the values of the record by key, as text, numbers or dates; the account's SID and files are ignored
 * @param settings the settings of the account
 * @param at the time of receipt
 * @throws {TelephonyError} with code `input` and the `field` if a value that identifies the event is missing or a value
 *   is invalid, or with code `settings` if the settings are incomplete
 */
export function sampleRecord(
  id: string,
  values: Values,
  settings: TelephonySettings,
  at: Date = new Date(),
): TelephonyRecord {
  const definition = eventDefinition(id);
  const { accountSid } = checkSettings(settings);
  const record = eventRecord(definition, parametersOf(definition, values, accountSid), at);
  const problems = problemsOf(definition, values, record);
  if (problems.length > 0) throw problemsError('input', problems, problems[0]?.key);
  return record;
}
