/**
 * The prefix of translation keys. Saltcorn merges the texts of all modules into its own, where a key without a prefix
 * could replace another one.
 */
export const textPrefix = 'Telephony: ';
