/** Begins the keys of translations. Saltcorn merges the texts of all modules into its own, where a bare text could replace another. */
export const textPrefix = 'Telephony: ';
