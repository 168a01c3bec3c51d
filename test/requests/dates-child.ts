// Reads the texts that it is given, in the zone of its own: what the plugin makes of them, and what `Date` does.
import { json } from 'node:stream/consumers';
import { readDate } from '../../src/response/read-date.ts';

const texts = (await json(process.stdin)) as string[];
const time = (date: Date | null) => (date === null ? null : date.getTime());
console.log(
  JSON.stringify(texts.map((text) => ({ read: time(readDate(text)), date: time(new Date(text)) }))),
);
