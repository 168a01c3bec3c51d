import { definitions, operations } from '../../src/builder.ts';
import { endpoints } from './endpoint.ts';
import { hostOf, pascal, setting } from './schema.ts';

/** A credential that Power Platform requests for a connection and keeps secret. */
function connectionParameter(key: 'username' | 'password', tabIndex: number) {
  const { label, help } = setting(key) ?? {};
  const constraints = { tabIndex, required: 'true' };
  return {
    type: 'securestring',
    uiDefinition: { displayName: label, description: help, tooltip: help, constraints },
  };
}

/** Sends the operations on sister hosts there: a connector has only one host. */
const hostPolicies = definitions.settings.hosts.flatMap(({ id, url }) => {
  const onHost = endpoints(operations).filter(({ lead }) => hostOf(lead)?.id === id);
  const parameters = {
    'x-ms-apimTemplateParameter.urlTemplate': url,
    'x-ms-apimTemplate-operationName': onHost.map(({ lead }) => pascal(lead.id)),
  };
  return onHost.length > 0 ? [{ templateId: 'dynamichosturl', title: id, parameters }] : [];
});

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
    policyTemplateInstances: hostPolicies,
  },
});
