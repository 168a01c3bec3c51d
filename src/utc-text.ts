/** Writes a time for people who may be in any time zone: `2026-11-26 15:10:38 UTC`. */
export const utcText = (time: Date): string =>
  `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
