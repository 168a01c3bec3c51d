/** The response to the service. */
export interface WebhookResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const instructions = (content: string): WebhookResponse => ({
  status: 200,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body: `<?xml version="1.0" encoding="UTF-8"?>${content}`,
});

const plain = (status: number, body: string): WebhookResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

/** The event was received and has no reply. */
export const received = () => instructions('<Response/>');

/** The event was received and has a reply. @param written the reply in TwiML */
export const replied = (written: string) => instructions(written);

/** The response to all requests that are not from the service. It doesn't reveal the reason. */
export const forbidden = () => plain(403, 'Forbidden');

/** The delivery failed. The service may send the event again. */
export const failed = () => plain(500, 'Not received');

/** The event has to wait, or another process is delivering it. The service may send it again. */
export const busy = () => plain(503, 'Not received yet');
