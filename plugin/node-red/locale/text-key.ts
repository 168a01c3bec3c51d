/** The key of an English text in the catalogues. Node-RED's keys contain neither dots nor colons. */
export const textKey = (english: string): string =>
  english.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '');
