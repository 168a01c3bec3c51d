/** Phrases that must not return, and what to say instead. Only those that a pattern finds without false alarms. */
export const phrases: [phrase: RegExp, say: string][] = [
  [/\bwhat (be)?(came|comes?) of\b/i, 'outcome, result, status'],
  [/\b(is|are|was|were|be) (told|heard)\b/i, 'delivered, subscribed'],
  [/\bput forward\b|\bbegun anew\b|\bso far\b/i, 'cursor, advance, reset'],
  [/\bask(s|ed|ing)? (for events|every)\b/i, 'poll'],
  [/\bunder way\b/i, 'in progress'],
  [/\b(is|are|was|were) looked for\b|\blooks? for what\b/i, 'check the message log'],
  [/\bpatience\b/i, 'retry budget'],
  [/\brun that goes on\b|\buntried\b|\bnot tried\b/i, 'batch, resume, not run'],
  [/\bsounds?\b/i, 'recording, audio'],
  [/\bin (the )?place of\b/i, 'instead of'],
  [/\banew\b/i, 'again'],
  [/\bbeside\b/i, 'next to'],
  [/\bstands? (in|on|at|there|under|behind|below|beside)\b/i, 'is in, on, next to, below'],
  [/\b(nobody|everybody|whom|whoever)\b/i, 'no one, none, or exactly who'],
  [/\bit is (said|told)\b|\bsaid why\b/i, 'name the actor'],
];

/** The phrases in a text, each with what to say instead. */
export const phrasesIn = (text: string): string[] =>
  phrases.flatMap(([phrase, say]) => {
    const [found] = text.match(phrase) ?? [];
    return found === undefined ? [] : [`“${found}”: say ${say}`];
  });
