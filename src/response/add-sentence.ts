/** Adds a sentence to a message, which may lack its full stop: what the service says often does. */
export const addSentence = (message: string, sentence: string): string =>
  `${message.replace(/[^.]$/, '$&.')} ${sentence}`;
