/** The public URL of this Node-RED. */
export const publicAddressField = {
  key: 'publicAddress',
  type: 'url' as const,
  label: 'Public URL',
  help: 'The public URL of this Node-RED. Only needed for webhooks, such as incoming SMS.',
  placeholder: 'https://node-red.example.com',
};

/** Whether the service reports the status of calls, messages and recordings. */
export const reportField = {
  key: 'reported',
  label: 'Status reports',
  text: 'send events when a status changes',
  help: 'The service then sends an event each time the status of a message, call or recording of these nodes changes. Needs the public URL.',
};

/** The Auth Token that signs webhooks, if it isn't the password. */
export const authTokenField = {
  key: 'authToken',
  type: 'secret' as const,
  label: 'Auth Token',
  help: 'Only needed with an API key or for a subaccount: the Auth Token that signs webhooks.',
};

/** The poll interval, for a Node-RED that the service can't reach. */
export const pollField = {
  key: 'pollMinutes',
  type: 'integer' as const,
  label: 'Poll every',
  help: "Minutes. Set this if the service can't reach this Node-RED. Each poll sends up to three requests: for messages, calls and recordings, if they have event nodes. Leave empty to turn polling off.",
  placeholder: '5',
};
