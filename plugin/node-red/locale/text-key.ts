/** The key of an English text in the catalogues, without the characters that mean something in Node-RED's keys, such as dots. */
export const textKey = (english: string): string =>
  english.replaceAll(/[^\p{L}\p{N}]/gu, (one) =>
    one === ' ' ? '-' : `_${one.codePointAt(0)?.toString(36)}`,
  );
