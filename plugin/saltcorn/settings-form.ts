import Form from '@saltcorn/data/models/form';
import Workflow from '@saltcorn/data/models/workflow';
import { definitions } from '../../src/index.ts';
import { connectBy } from './account.ts';
import { connectionTestButton } from './connection-test.ts';
import {
  blankSecrets,
  effectiveSettings,
  isFixed,
  isStored,
  secretKeys,
} from './effective-settings.ts';
import { type FormField, formField } from './form-field.ts';
import { minimumRoleField } from './minimum-role.ts';

const { settings } = definitions;

function settingsField(field: (typeof settings.fields)[number]): FormField {
  const isSecretStored = field.type === 'secret' && isStored(field.key);
  const attributes = { placeholder: isSecretStored ? 'unchanged' : field.placeholder };
  return formField(field, { required: false, attributes });
}

/** Puts stored secrets back where the form was left blank, then says what is wrong with the settings. */
function validate(values: Record<string, unknown>): string | undefined {
  Object.assign(values, blankSecrets(values));
  const effective = effectiveSettings(values);
  const isComplete = settings.fields.every(({ key, required }) => !required || effective[key]);
  // Saltcorn saves after every field that is left, so that half-filled settings are no fault yet.
  if (!isComplete) return undefined;
  try {
    connectBy(effective);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The page of the plugin's settings. No secret is written into it, neither shown nor hidden. */
export const settingsWorkflow = () =>
  new Workflow({
    steps: [
      {
        name: settings.name,
        form: async (context) => {
          // Saltcorn writes the whole context into a hidden field of the page.
          for (const key of secretKeys) delete context[key];
          return new Form({
            blurb: settings.fields.some(({ key }) => isFixed(key))
              ? `${settings.description} It is fixed where Saltcorn starts.`
              : settings.description,
            labelCols: 3,
            fields: [...settings.fields.map(settingsField), await minimumRoleField()],
            additionalButtons: [connectionTestButton],
            validator: validate,
          });
        },
      },
    ],
  });
