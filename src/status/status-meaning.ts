/** What a status means to a person. */
export type StatusMeaning = 'success' | 'active' | 'waiting' | 'warning' | 'failure';

const meanings: [meaning: StatusMeaning, statuses: string[]][] = [
  ['success', ['completed', 'delivered', 'sent', 'received', 'read', 'done']],
  ['active', ['in-progress', 'in progress']],
  [
    'waiting',
    [
      'accepted',
      'scheduled',
      'initiated',
      'queued',
      'ringing',
      'sending',
      'receiving',
      'processing',
    ],
  ],
  ['warning', ['busy', 'no-answer', 'partially_delivered', 'unknown']],
  ['failure', ['failed', 'undelivered', 'absent']],
];

/**
 * Returns what the status of a record or of a row means, so that lists can colour it.
 *
 * @returns undefined for a status that is neither good nor bad, such as `canceled`, or that isn't known
 */
export const statusMeaning = (status: string): StatusMeaning | undefined =>
  meanings.find(([, statuses]) => statuses.includes(status))?.[0];
