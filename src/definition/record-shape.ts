import type { RecordShape } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { finder } from './finder.ts';

const find = finder('record type', definitions.records);

/**
 * Returns the shape of a kind of record. Its `key` names the field that identifies a record.
 *
 * @param id the shape's id, such as the `of` of an operation's result
 * @throws {TelephonyError} with code `input` if there is none
 */
export const recordShape = (id: string): RecordShape => find(id);
