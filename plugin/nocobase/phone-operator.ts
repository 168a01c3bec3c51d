/** The filter operator that finds a phone number in a table of NocoBase, however it is written. */
export const phoneOperator = '$isPhoneNumber';
