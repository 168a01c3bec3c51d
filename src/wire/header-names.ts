/** The headers of an answer that are read, in lower case. Others are not kept. */
export const headerNames = {
  /** What the service's support asks for. */
  requestId: 'twilio-request-id',
  retryAfter: 'retry-after',
  /** What time it is at the service. */
  date: 'date',
  /** Where a sound is, that is stored elsewhere. */
  location: 'location',
} as const;

/** Those that say what a sound is: whoever passes it on passes them on, too. */
export const mediaHeaderNames = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
] as const;
