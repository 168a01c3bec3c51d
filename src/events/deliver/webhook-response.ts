/** What the service gets as an answer. */
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

/** It was received, and there is nothing to do. */
export const received = () => instructions('<Response/>');

/** It was received, and this is the reply. @param written TwiML */
export const replied = (written: string) => instructions(written);

/** The one answer to all that did not come from the service: it says nothing of the reason. */
export const forbidden = () => plain(403, 'Forbidden');

/** It could not be told; the service may try again. */
export const failed = () => plain(500, 'Not received');

/** It has to wait, or is being told elsewhere; the service may try again. */
export const busy = () => plain(503, 'Not received yet');
