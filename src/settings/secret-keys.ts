import { definitions } from '../../generated/definitions.ts';
import { fieldTypes } from '../field-types/field-types.ts';

/** The keys of the secret settings, which are never shown again or stored readably. */
export const secretKeys: readonly string[] = definitions.settings.fields
  .filter(({ type }) => fieldTypes[type].isSecret)
  .map(({ key }) => key);
