/**
 * The service's errors by code. Codes and meanings are from its public error dictionary, the wording from public threads.
 */
export const ERRORS = {
  20003: {
    status: 401,
    message: 'Authentication Error - {reason}',
    detail: 'Your AccountSid or AuthToken was incorrect.',
  },
  20007: { status: 400, message: "Page size '{PageSize}' is not between 1 and 1000" },
  20009: { status: 409, message: 'Cannot delete this resource before it is complete' },
  20404: { status: 404, message: 'The requested resource {path} was not found' },
  20429: { status: 429, message: 'Too Many Requests' },
  20500: { status: 500, message: 'Internal Server Error' },
  20503: { status: 503, message: 'Service Unavailable' },
  21201: { status: 400, message: "No 'To' number is specified" },
  21205: { status: 400, message: 'Url parameter is required.' },
  21211: { status: 400, message: "Invalid 'To' Phone Number: {To}" },
  21212: { status: 400, message: "Invalid 'From' Phone Number: {From}" },
  21213: { status: 400, message: "No 'From' number is specified" },
  21214: { status: 400, message: "'To' phone number cannot be reached: {To}" },
  21215: {
    status: 400,
    message:
      'Account not authorized to call {To}. Perhaps you need to enable some international permissions',
  },
  21217: { status: 400, message: 'Phone number does not appear to be valid: {To}' },
  21220: { status: 400, message: '{reason}' },
  21266: { status: 400, message: "'To' and 'From' number cannot be the same: {To}" },
  21408: {
    status: 400,
    message:
      "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: {To}",
  },
  21470: { status: 400, message: 'AccountSid {account} is not an Account SID' },
  21481: { status: 400, message: 'Invalid PageToken' },
  21602: { status: 400, message: 'Message body is required.' },
  21603: { status: 400, message: "A 'From' phone number is required." },
  21604: { status: 400, message: "A 'To' phone number is required." },
  21606: {
    status: 400,
    message:
      "The 'From' phone number {From} is not a valid, message-capable phone number of your account",
  },
  21610: { status: 400, message: 'Attempt to send to unsubscribed recipient' },
  21611: {
    status: 429,
    message: "This 'From' number has exceeded the maximum number of queued messages",
  },
  21612: {
    status: 400,
    message: "The 'To' phone number {To} is not currently reachable using the 'From' number {From}",
  },
  21614: { status: 400, message: "'To' number {To} is not a valid mobile number" },
  21617: {
    status: 400,
    message: 'The concatenated message body exceeds the 1600 character limit',
  },
  21655: { status: 400, message: 'The ContentSid is invalid: {ContentSid}' },
  21656: { status: 400, message: 'The ContentVariables parameter is invalid' },
  21910: {
    status: 400,
    message: "Invalid 'From' and 'To' pair. 'From' and 'To' should be of the same channel",
  },
  60200: { status: 400, message: 'Invalid parameter' },
  60202: { status: 429, message: 'Max check attempts reached' },
  60203: { status: 429, message: 'Max send attempts reached' },
  30409: { status: 409, message: 'This message cannot be canceled' },
  35114: { status: 400, message: 'Scheduling does not support this timestamp' },
  63007: {
    status: 400,
    message: 'Twilio could not find a Channel with the specified From address',
  },
} as const;

export type ErrorCode = keyof typeof ERRORS;
