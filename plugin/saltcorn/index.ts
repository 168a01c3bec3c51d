import { batchActions, definitions, replyForms, setSettingsLocation } from '../../src/builder.ts';
import { accountOf, type Configuration } from './account/account.ts';
import { rememberStored } from './account/fixed-settings.ts';
import { onWorkerNotice } from './account/other-workers.ts';
import { moveSecrets } from './account/stored-secrets.ts';
import { saltcornAction } from './action/action.ts';
import { askedRoute } from './action/asked-route.ts';
import { bulkAction, bulkName } from './bulk/bulk-action.ts';
import { runRoutes } from './bulk/run-routes.ts';
import { choicesRoute } from './choices/choices-route.ts';
import { choicesHeader } from './choices/choices-script.ts';
import { tableProvider } from './data-source/data-source.ts';
import { providerName, sourcesByUse } from './data-source/provider-name.ts';
import { refreshTables } from './data-source/refresh-tables.ts';
import { deskRoute } from './desk/install-desk.ts';
import { answerAction, answerName, isAnswered } from './event/answer-action.ts';
import { eventRoute } from './event/event-route.ts';
import { followPolling } from './event/poller.ts';
import { replyAction, replyName } from './event/reply-action.ts';
import { mediaRoute } from './media/media-route.ts';
import { followRetention } from './retention.ts';
import { connectionTestRoute } from './settings/connection-test.ts';
import { location } from './settings/location.ts';
import { numbersRoute } from './settings/numbers.ts';
import { settingsWorkflow } from './settings/settings-form.ts';
import { chart } from './view/chart.ts';
import { columnTypes } from './view/column-types.ts';
import { fieldviews as ownFieldviews } from './view/field-views.ts';
import { formulaFunctions } from './view/formula-functions.ts';
import { timesHeader } from './view/local-time.ts';

setSettingsLocation(location);

const { manifest, dataSources, actions: actionDefinitions } = definitions;

export const sc_plugin_api_version = 1;
export const plugin_name = manifest.id;
export const configuration_workflow = settingsWorkflow;
export async function onLoad(configuration: Configuration | string | null): Promise<void> {
  await moveSecrets(configuration);
  const stored = typeof configuration === 'string' ? JSON.parse(configuration) : configuration;
  rememberStored(stored ?? {});
  followPolling(accountOf(stored ?? {}));
  followRetention();
  await refreshTables();
}
// Saltcorn calls `types`, except on its page about the module, which reads it as a list.
export const types = Object.assign(columnTypes, {
  map: <T>(show: (type: ReturnType<typeof columnTypes>[number]) => T): T[] =>
    columnTypes().map(show),
});
export const fieldviews = () => ownFieldviews;
export const viewtemplates = () => [chart];
export const functions = (configuration: Configuration) =>
  formulaFunctions(accountOf(configuration));
export const eventTypes = () =>
  Object.fromEntries(definitions.events.map(({ name }) => [name, { hasChannel: false }]));
export const headers = (configuration: Configuration) => [
  timesHeader,
  choicesHeader(accountOf(configuration)),
];
export const routes = (configuration: Configuration) => [
  connectionTestRoute,
  deskRoute,
  choicesRoute(accountOf(configuration)),
  eventRoute(accountOf(configuration)),
  mediaRoute(accountOf(configuration)),
  askedRoute(accountOf(configuration)),
  numbersRoute(accountOf(configuration)),
  ...runRoutes(accountOf(configuration)),
];

export function table_providers(configuration: Configuration) {
  const account = accountOf(configuration);
  const providers = sourcesByUse(dataSources).map((source) => [
    providerName(source),
    tableProvider(source, account),
  ]);
  return Object.fromEntries(providers);
}

export function actions(configuration: Configuration) {
  const account = accountOf(configuration);
  const named = actionDefinitions.flatMap((action) => [
    [action.name, saltcornAction(action, account, manifest.name)],
    ...(batchActions.includes(action)
      ? [[bulkName(action), bulkAction(action, account, manifest.name)]]
      : []),
  ]);
  const replies = replyForms.map((reply) => [
    replyName(reply),
    replyAction(reply, account, manifest.name),
  ]);
  const answers = definitions.events
    .filter(isAnswered)
    .map((event) => [answerName(event), answerAction(event, account, manifest.name)]);
  return Object.fromEntries([...named, ...replies, ...answers]);
}

onWorkerNotice((configuration) => accountOf(configuration).reads.clear());
