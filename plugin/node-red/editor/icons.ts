import type { Field, LimitField, SettingsField } from '../../../src/builder.ts';

const records: Record<string, string> = {
  call: 'phone',
  message: 'comment',
  recording: 'microphone',
  transcription: 'file-text-o',
  file: 'picture-o',
  'phone-number': 'hashtag',
  balance: 'credit-card',
  'usage-record': 'bar-chart',
};

/** The Font Awesome 4 icon of a node, by its record shape. */
export const recordIcon = (record: string) => `font-awesome/fa-${records[record] ?? 'phone'}`;

/** The icon of reply nodes. */
export const replyIcon = 'font-awesome/fa-reply';

const fields: Record<string, string> = {
  phone: 'phone',
  sid: 'key',
  speech: 'volume-up',
  choice: 'list',
  integer: 'hashtag',
  date: 'calendar',
  day: 'calendar-o',
  secret: 'lock',
  country: 'flag',
  url: 'link',
  switch: 'ban',
  countries: 'globe',
  hours: 'moon-o',
};

/** The icon of a field's label. */
export const fieldIcon = (type: Field['type'] | SettingsField['type'] | LimitField['type']) =>
  fields[type] ?? 'font';
