const marks = /[\p{Zs}\t.()[\]\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Removes the characters that people write or paste between the digits of a number. */
export const withoutMarks = (text: string): string => text.replace(marks, '');

/** Converts an entered phone number to the form in which it is sent and compared. It stays as it is if it isn't certain. */
export type CleanPhone = (text: string) => string;
