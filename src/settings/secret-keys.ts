import { definitions } from '../../generated/definitions.ts';
import { fieldTypes } from '../field-types/field-types.ts';

/** The keys of the settings that are never shown again, nor kept where others can read them. */
export const secretKeys: readonly string[] = definitions.settings.fields
  .filter(({ type }) => fieldTypes[type].isSecret)
  .map(({ key }) => key);
