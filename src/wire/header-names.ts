/** The response headers that the plugin reads, in lower case. It drops all others. */
export const headerNames = {
  /** The id that the service's support asks for. */
  requestId: 'twilio-request-id',
  retryAfter: 'retry-after',
  /** The service's time. */
  date: 'date',
  /** The URL of audio that is stored elsewhere. */
  location: 'location',
} as const;

/** The headers that describe audio. They are passed on with it. */
export const mediaHeaderNames = [
  'content-type',
  'content-length',
  'content-range',
  'accept-ranges',
] as const;
