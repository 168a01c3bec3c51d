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
