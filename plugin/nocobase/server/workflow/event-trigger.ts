/**
 * The trigger of an event in NocoBase's workflows. It registers nothing: the plugin queries the enabled workflows when
 * an event arrives.
 */
export const eventTrigger = {
  on() {},
  off() {},
  validateConfig: () => null,
  validateEvent: () => true,
};
