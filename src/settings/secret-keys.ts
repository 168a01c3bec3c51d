import { definitions } from '../../generated/definitions.ts';

/** The keys of the settings that are never shown again, nor kept where others can read them. */
export const secretKeys: readonly string[] = definitions.settings.fields
  .filter(({ type }) => type === 'secret')
  .map(({ key }) => key);
