/** The setting of where the service reaches this Node-RED. */
export const publicAddressField = {
  key: 'publicAddress',
  label: 'Public address',
  help: 'Where the service reaches the pages of this Node-RED, from the internet. Only needed for events, such as an SMS that comes in.',
  placeholder: 'https://node-red.example.com',
};

/** The setting of whether messages and recordings are to be reported. */
export const reportField = {
  key: 'reported',
  label: 'Reports',
  text: 'ask the service to report what becomes of what these nodes send and record',
};

/** The setting of what events are signed by, where that is not the password. */
export const authTokenField = {
  key: 'authToken',
  label: 'Auth Token',
  help: 'What the service signs events by. Only needed for events of an account whose password is something else, as with an API key.',
};

/** The setting of whether the service is asked for events, where it cannot reach this Node-RED. */
export const askField = {
  key: 'askMinutes',
  label: 'Ask every',
  help: 'Minutes. Where the service cannot reach this Node-RED, it is asked for events: with one request each time for messages, one for calls and one for recordings, as far as there are nodes for them. Empty: it is not asked.',
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
