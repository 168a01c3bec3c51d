/** The setting of whom messages come from where a node does not say so. */
export const defaultSenderField = {
  key: 'defaultSender',
  label: 'Sender',
  help: 'Whom messages come from where the field of a node is left empty.',
  placeholder: '+14155550100',
};
