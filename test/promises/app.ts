import type { Page } from 'playwright-core';

export interface Sms {
  to: string;
  body: string;
}

/** Whom an app can text one after the other. Two of them have the same number. */
export const people: { name: string; phone: string }[] = [
  ...Array.from({ length: 24 }, (_, index) => ({
    name: `Person ${index}`,
    phone: `+120255577${String(index).padStart(2, '0')}`,
  })),
  { name: 'Person 0 again', phone: '+1 (202) 555-7700' },
];

/** What is typed into the settings. The password that is left out is the stored one. */
export interface Typed {
  password?: string;
  baseUrl?: string;
}

/** What someone who may not do it can try. Each gives what came of it. */
export interface Stranger {
  send(sms: Sms): Promise<string>;
  recordings(): Promise<string>;
  listen(sid: string): Promise<string>;
  testConnection(): Promise<string>;
}

/** Filters that choose nobody, by what is wrong with each. */
export const vagueFilters = [
  'is false',
  'is false for everyone',
  'is null',
  'has no value',
  'has no value for one of two',
  'names a column that there is none of',
  'is not understood',
] as const;

/** Something that is to be done for each of the people whom a page showed, in the page where it was asked for. */
export interface Run {
  /** What is asked before it begins, or why it does not. */
  question: string;
  begin(): Promise<void>;
  stop(): Promise<void>;
  /** What its page shows now. */
  shown(): Promise<string>;
  /** What became of it, for whoever looks when it is over. */
  result(): Promise<string>;
}

/** What can be done for each row of a table, in a builder that has that. */
export interface ForEachRow {
  /** Opens a page of its own, which shows the people of this name, or all, and presses the button that texts them. */
  text(shown: { name?: string; sendsNoReferer?: true }): Promise<Run>;
  /** The same with a button that texts only those for whom a filter holds. */
  textWhere(filter: (typeof vagueFilters)[number]): Promise<Run>;
  /** Ends the builder's program at once, and starts it again. */
  restart(): Promise<void>;
}

/**
 * An app of a builder's own parts, in the builder's real program, and someone who may do everything in it. What a new
 * builder has to write so that the table of promises runs in it. What is done gives what can be read afterwards.
 */
export interface App {
  page: Page;
  /** Types an SMS into a form, and clicks its button so many times, as fast as can be. */
  send(sms: Sms, clicks?: number): Promise<string>;
  /** Sends an SMS whose recipient is bound to the value `phone` of these. */
  sendTo(values: object): Promise<string>;
  /** Shows the recordings by a caller id that is bound to the value `phone` of these. */
  recordingsOf(values: object): Promise<string>;
  /** Ways of this builder to bind a list of recordings by caller id to what is not there. Each gives what is shown. */
  boundToNothing: Record<string, () => Promise<string>>;
  /** Where the builder can do something for each row of a table. */
  forEachRow?: ForEachRow;
  /** Has an SMS sent while nobody waits for what becomes of it. */
  sendUnattended(sms: Sms): Promise<void>;
  /** What the builder's log says. */
  log(): Promise<string>;
  saveSettings(typed: Typed): Promise<string>;
  testConnection(typed: Typed): Promise<string>;
  /** Where the sound of a recording is. */
  soundOf(sid: string): string;
  /** Opens every kind of page that shows records, one after the other, in the browser. */
  openPages(): AsyncIterable<string>;
  /** All that the builder stored, showed, exports and logged, by its place; but for where a secret is meant to be. */
  everything(): Promise<Record<string, string>>;
  stranger: Stranger;
}
