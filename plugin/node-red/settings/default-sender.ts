/** The default sender. */
export const defaultSenderField = {
  key: 'defaultSender',
  type: 'phone' as const,
  label: 'Default sender',
  help: 'Used when a node has no sender.',
  placeholder: '+14155550100',
};
