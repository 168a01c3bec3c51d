import {
  type Action,
  definitions,
  isSenderField,
  isSmsText,
  recipientField,
} from '../../src/builder.ts';

const { manifest, actions } = definitions;

/** The type of the notification channel of an action. */
export const channelType = ({ id }: Action) => `${manifest.id}-${id}`;

/** The actions that can notify someone. */
export const channelActions = actions.flatMap((action) => {
  const recipient = recipientField(action);
  return recipient ? [{ action, recipient }] : [];
});

/** The actions that can send someone a text, such as a one-time code. */
export const textActions = channelActions.flatMap(({ action, recipient }) => {
  const text = action.fields.find(isSmsText);
  return text ? [{ action, recipient, text, sender: action.fields.find(isSenderField) }] : [];
});

/** Where the text of a one-time code contains the code. */
export const codeMark = '{code}';
