/** The setting of where the service reaches this Node-RED. */
export const publicAddressField = {
  key: 'publicAddress',
  label: 'Public URL',
  help: 'The public URL of this Node-RED. Only needed for webhooks, such as incoming SMS.',
  placeholder: 'https://node-red.example.com',
};

/** The setting of whether messages and recordings are to be reported. */
export const reportField = {
  key: 'reported',
  label: 'Reports',
  text: 'report the status of messages and recordings as events',
};

/** The setting of what events are signed by, where that is not the password. */
export const authTokenField = {
  key: 'authToken',
  label: 'Auth Token',
  help: 'Only needed with an API key: the Auth Token that signs webhooks.',
};

/** The setting of whether the service is asked for events, where it cannot reach this Node-RED. */
export const askField = {
  key: 'askMinutes',
  label: 'Poll every',
  help: "Minutes. Set this if the service can't reach this Node-RED. Each poll takes one request each for messages, calls and recordings that have event nodes. Leave empty to turn polling off.",
  placeholder: '5',
};

/** In milliseconds: a day, and as fast as makes sense. */
const [longest, shortest] = [86_400_000, 6_000];

/**
 * How often the service is asked for events.
 *
 * @param typed in minutes
 * @returns milliseconds; 0 where it is not asked, undefined for what is no such time
 */
export function readMinutes(typed: unknown): number | undefined {
  const text = String(typed ?? '').trim();
  const milliseconds = Math.round(Number(text) * 60_000);
  return text === '' || (milliseconds >= shortest && milliseconds <= longest)
    ? milliseconds
    : undefined;
}
