import { setting } from './schema.ts';

/** A credential that Power Platform requests for a connection and keeps secret. */
function connectionParameter(key: 'username' | 'password', tabIndex: number) {
  const { label, help } = setting(key) ?? {};
  const constraints = { tabIndex, required: 'true' };
  return {
    type: 'securestring',
    uiDefinition: { displayName: label, description: help, tooltip: help, constraints },
  };
}

/**
 * The properties of a custom connector in Power Platform, such as the credentials of a connection.
 *
 * @param iconBrandColor the background of the icon
 */
export const apiProperties = (iconBrandColor: string): object => ({
  properties: {
    connectionParameters: {
      username: connectionParameter('username', 1),
      password: connectionParameter('password', 2),
    },
    iconBrandColor,
    capabilities: [],
    policyTemplateInstances: [],
  },
});
