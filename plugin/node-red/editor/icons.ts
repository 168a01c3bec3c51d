import {
  type Action,
  type Field,
  type LimitField,
  laterField,
  type SettingsField,
} from '../../../src/builder.ts';

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

/** The icon of an action's node. What it does beyond its record tells it apart from others of the same record. */
export function actionIcon(action: Action): string {
  if (action.request.method === 'DELETE') return 'font-awesome/fa-trash-o';
  if (action.asks) return 'font-awesome/fa-eraser';
  if (laterField(action)) return 'font-awesome/fa-paper-plane-o';
  if (action.fields.some(({ type }) => type === 'map')) return 'font-awesome/fa-file-text-o';
  return recordIcon(action.result.of);
}

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
