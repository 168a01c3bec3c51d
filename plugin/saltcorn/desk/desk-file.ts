/** The file of the package with the pack of telephony pages. */
export const deskFile = 'desk.json';
