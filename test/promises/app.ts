import type { Page } from 'playwright-core';

export interface Sms {
  to: string;
  body: string;
}

/** The people in the table of an app. Two of them have the same number. */
export const people: { name: string; phone: string }[] = [
  ...Array.from({ length: 24 }, (_, index) => ({
    name: `Person ${index}`,
    phone: `+120255577${String(index).padStart(2, '0')}`,
  })),
  { name: 'Person 0 again', phone: '+1 (202) 555-7700' },
];

/** Values typed into the settings. Without a password, the stored one stays. */
export interface Typed {
  password?: string;
  baseUrl?: string;
  /** Limits; all of them if any is typed. */
  perRecipientPerHour?: string;
  stopped?: boolean;
}

/** A user without rights. Each method returns the text that the user then sees. */
export interface Stranger {
  send(sms: Sms): Promise<string>;
  recordings(): Promise<string>;
  listen(sid: string): Promise<string>;
  testConnection(): Promise<string>;
}

/** Filters that select no one, named by their fault. */
export const vagueFilters = [
  'is false',
  'is false for everyone',
  'is null',
  'has no value',
  'has no value for one of two',
  'names a column that does not exist',
  'cannot be parsed',
] as const;

/** A batch for the people that a page shows, opened in that page. */
export interface Run {
  /** The text of the preview, or why there is none. */
  question: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The current text of its page. */
  shown(): Promise<string>;
  /** The text of its page once it has ended. */
  result(): Promise<string>;
}

export interface ShownPeople {
  name?: string;
  sendsNoReferer?: true;
  skipsSent?: true;
}

/** Batches over the rows of a table, in a builder that has them. */
export interface ForEachRow {
  /**
   * Opens a new page with the people of this name, or all, and presses the button that texts them. Includes those
   * who got the same from a finished batch, unless `skipsSent` leaves the preview as it is.
   */
  text(shown: ShownPeople): Promise<Run>;
  /** The same with a button that texts only those that a filter selects. */
  textWhere(filter: (typeof vagueFilters)[number]): Promise<Run>;
  /** Kills the builder's program, and starts it again. */
  restart(): Promise<void>;
}

/**
 * An app built from a builder's own parts, in the builder's real program, and a user with all rights. A new builder
 * implements this so that the table of promises runs in it. Each method returns the text that the user then sees.
 */
export interface App {
  page: Page;
  /**
   * Types an SMS into a form, and clicks its button so many times, as fast as possible. After the first click, it can send the same request
   * instead.
   */
  send(sms: Sms, clicks?: number): Promise<string>;
  /** Sends an SMS whose recipient is bound to `phone` in these values. */
  sendTo(values: object): Promise<string>;
  /** Shows the recordings by a caller id that is bound to `phone` in these values. */
  recordingsOf(values: object): Promise<string>;
  /** This builder's ways to bind a list of recordings by caller id to a missing value. */
  boundToNothing: Record<string, () => Promise<string>>;
  forEachRow?: ForEachRow;
  /** Sends an SMS while no one waits for its outcome. */
  sendUnattended(sms: Sms): Promise<void>;
  /** The builder's log. */
  log(): Promise<string>;
  /** The records of the events that limits raised, as JSON, from a part of the app that starts with the event. */
  limitsReached?(): Promise<string>;
  saveSettings(typed: Typed): Promise<string>;
  testConnection(typed: Typed): Promise<string>;
  /** The URL of a recording's audio. */
  audioUrl(sid: string): string;
  /** Opens every kind of page that shows records in the browser, and yields its name. */
  openPages(): AsyncIterable<string>;
  /** Everything that the builder stored, showed, exported and logged, by place, except the places meant for secrets. */
  everything(): Promise<Record<string, string>>;
  stranger: Stranger;
}
