// Parses texts in the time zone of this process, by the plugin and by `Date`.
import { json } from 'node:stream/consumers';
import { readDate } from '../../src/response/read-date.ts';

const texts = (await json(process.stdin)) as string[];
const time = (date: Date | null) => (date === null ? null : date.getTime());
console.log(
  JSON.stringify(texts.map((text) => ({ read: time(readDate(text)), date: time(new Date(text)) }))),
);
