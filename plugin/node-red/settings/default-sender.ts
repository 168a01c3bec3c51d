/** The setting of whom messages come from where a node does not say so. */
export const defaultSenderField = {
  key: 'defaultSender',
  label: 'Sender',
  help: 'Used when a node has no sender.',
  placeholder: '+14155550100',
};
