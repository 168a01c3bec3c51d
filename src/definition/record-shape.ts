import type { RecordShape } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { finder } from './finder.ts';

const find = finder('record type', definitions.records);

/**
 * The shape of a kind of record. Its `key` is the key of the field that tells one record from all others.
 *
 * @param id such as the `of` of an operation's result
 * @throws {TelephonyError} with code `input` when there is none
 */
export const recordShape = (id: string): RecordShape => find(id);
