import type { Field, SettingsField } from '../../../src/builder.ts';

const records: Record<string, string> = {
  call: 'phone',
  message: 'comment',
  recording: 'microphone',
  file: 'picture-o',
  'phone-number': 'hashtag',
};

/** The icon of a node in Font Awesome 4: one for each kind of record. */
export const recordIcon = (record: string) => `font-awesome/fa-${records[record] ?? 'phone'}`;

/** The icon of the nodes that answer an event. */
export const replyIcon = 'font-awesome/fa-reply';

const fields: Record<string, string> = {
  phone: 'phone',
  sid: 'key',
  speech: 'volume-up',
  choice: 'list',
  integer: 'hashtag',
  date: 'calendar',
  secret: 'lock',
  country: 'flag',
  url: 'link',
};

/** The icon of the label of a field. */
export const fieldIcon = (type: Field['type'] | SettingsField['type']) => fields[type] ?? 'font';
