import { type Action, definitions, recipientField } from '../../src/builder.ts';

const { manifest, actions } = definitions;

/** The type of the notification channel of an action. */
export const channelType = ({ id }: Action) => `${manifest.id}-${id}`;

/** The actions that can notify someone. */
export const channelActions = actions.flatMap((action) => {
  const recipient = recipientField(action);
  return recipient ? [{ action, recipient }] : [];
});
