/**
 * The trigger of an event, as NocoBase's workflows take one. Which workflows there are NocoBase knows itself, and it is asked when an
 * event comes.
 */
export const eventTrigger = {
  on() {},
  off() {},
  validateConfig: () => null,
  validateEvent: () => true,
};
