import * as fc from 'fast-check';
import type { Loose } from '../../host.ts';
import {
  directions,
  durations,
  moments,
  names,
  newest,
  numbers,
  prices,
  statuses,
} from './random-records.ts';

export type Filter = Record<string, Loose>;

const texts: Record<string, readonly string[]> = {
  status: [...statuses, 'processing'],
  direction: [...directions, 'sideways'],
  from: [...numbers, '+19998887777'],
  to: numbers,
  callerName: [...names, 'nobody'],
  answeredBy: ['human', 'machine', 'dog'],
  forwardedFrom: numbers,
};
const figures: Record<string, readonly number[]> = {
  duration: [...durations, 5],
  queueTime: durations,
  price: [...prices, 0.1],
};
const dates = ['startTime', 'endTime', 'dateCreated'];
const sids = Array.from({ length: 6 }, (_, index) => `CA${String(index).padStart(32, '0')}`);

const ofColumn = <T>(
  columns: Record<string, readonly T[]>,
  wanted: (values: fc.Arbitrary<T>) => fc.Arbitrary<unknown>,
): fc.Arbitrary<Filter> =>
  fc.oneof(
    ...Object.entries(columns).map(([column, values]) =>
      wanted(fc.constantFrom(...values)).map((one) => ({ [column]: one })),
    ),
  );

const some = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1, maxLength: 3 });
const withNulls = <T>(values: fc.Arbitrary<T>) => some(fc.option(values, { freq: 4 }));

const bound = <T>(values: fc.Arbitrary<T>) =>
  fc
    .record({ name: fc.constantFrom('gt', 'lt'), value: values, equal: fc.boolean() })
    .map(({ name, value, equal }) => ({ [name]: value, ...(equal && { equal }) }));

const anyValue = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: values },
    fc.constant(null),
    fc.constant(undefined),
    withNulls(values).map((list) => ({ in: list })),
    fc.constant({ in: [] }),
    withNulls(values).map((list) => ({ not: { in: list } })),
    some(values).map((list) => ({ or: list })),
    some(bound(values)),
    bound(values),
    fc.record({ gt: values, lt: values }),
  );

const part = fc.constantFrom('ad', 'ADA', 'a%e', '_da', 'in', '+1202', '555', '%', 'x', 'bus_');
const anyText = (values: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 3, arbitrary: anyValue(values) },
    part.map((ilike) => ({ ilike })),
    part.map((ilike) => ({ ilike, fullMatch: true })),
  );
const anyNumber = (values: fc.Arbitrary<number>) =>
  fc.oneof(
    { weight: 4, arbitrary: anyValue(values) },
    values.map(String),
    values.map((value) => ({ lt: String(value), equal: true })),
    fc.constantFrom('6', '%5_').map((ilike) => ({ ilike })),
  );

const moment = fc.constantFrom(...moments, newest - 500).map((time) => new Date(time));

/** Other tables refer to rows of this one by SID, and to their own by id. */
const notes = (text: Loose) => ({ table: 'Notes', field: 'call', where: { text } });
const selected = fc.oneof(
  fc
    .constantFrom(notes({ ilike: 'r' }), notes('sorry'), notes('none'))
    .map((inSelect): Filter => ({ sid: { inSelect } })),
  fc.constantFrom('rude', 'sorry').map(
    (text): Filter => ({
      sid: [
        {
          inSelectWithLevels: {
            joinLevels: [
              { table: 'Notes', pk_name: 'id' },
              { table: 'Calls', fkey: 'call' },
            ],
            where: { text },
          },
        },
      ],
    }),
  ),
  fc.constantFrom('complaint', 'praise').map(
    (label): Filter => ({
      sid: {
        inSelectWithLevels: {
          joinLevels: [
            { table: 'Topics', pk_name: 'id' },
            { table: 'Notes', inboundKey: 'topic', ref_name: 'id', pk_name: 'id' },
            { table: 'Calls', fkey: 'call' },
          ],
          where: { label },
        },
      },
    }),
  ),
  fc.constantFrom('ada', 'Nobody', 'twin').map(
    (name): Filter => ({
      fromRow: { inSelect: { table: 'Customers', field: 'id', where: { name } } },
    }),
  ),
  fc.constantFrom('north', 'south').map(
    (label): Filter => ({
      fromRow: [
        {
          inSelect: {
            ...{ table: 'Customers', field: 'team', valField: 'id' },
            ...{ through: 'Teams', through_pk: 'id', where: { label } },
          },
        },
      ],
    }),
  ),
);

const constants = fc.constantFrom<Filter>(
  { eq: [1, 1] },
  { eq: [80, 1] },
  { not: { eq: [80, 1] } },
  { not: { eq: [1, 1] } },
  { eq: [null, 1] },
  { eq: [60, Symbol('duration')] },
  { eq: [Symbol('from'), Symbol('to')] },
  { not: { eq: [Symbol('forwardedFrom'), Symbol('to')] } },
  { duration: Symbol('queueTime') },
  { startTime: Symbol('endTime') },
  { eq: [Symbol('callerName'), null] },
);

const leaf: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 6, arbitrary: ofColumn(texts, anyText) },
  { weight: 4, arbitrary: ofColumn(figures, anyNumber) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...dates), anyValue(moment))
      .map(([column, wanted]) => ({ [column]: wanted })),
  },
  { weight: 2, arbitrary: anyValue(fc.constantFrom(...sids)).map((wanted) => ({ sid: wanted })) },
  {
    weight: 2,
    arbitrary: anyValue(fc.integer({ min: 1, max: 4 })).map((wanted) => ({ fromRow: wanted })),
  },
  { weight: 2, arbitrary: selected },
  { weight: 2, arbitrary: constants },
);

/** A random filter in the format of Saltcorn's URLs, formulas and relations. */
export const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 5, arbitrary: leaf },
    fc.array(leaf, { minLength: 2, maxLength: 3 }).map((all) => Object.assign({}, ...all)),
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
    tie('filter').map((not) => ({ not })),
  ),
})).filter;

const instants = moments.flatMap((time) => [time, time - 1, time + 1, time + 3_600_000]);
const instant = fc.constantFrom(...instants).map((time) => new Date(time));
const someTime = fc.oneof(
  bound(instant),
  instant,
  fc.tuple(bound(instant), bound(instant)),
  fc.record({ gt: instant, lt: instant }),
  fc.record({ gt: instant, lt: instant, equal: fc.constant(true) }),
);

const supported = {
  to: fc.constantFrom(...numbers),
  from: fc.constantFrom(...numbers),
  status: fc.constantFrom(...statuses),
  startTime: someTime,
};
const oneSupported = fc.oneof(
  ...Object.entries(supported).map(([column, values]) => values.map((one) => ({ [column]: one }))),
);

/** A random filter that the service supports: numbers, a status and times, combined or as alternatives. */
export const serviceFilter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record(supported, { requiredKeys: ['startTime'] }),
  fc
    .record({
      all: fc.record(supported, { requiredKeys: [] }),
      or: fc.array(fc.oneof(oneSupported, fc.record(supported)), { minLength: 2, maxLength: 3 }),
    })
    .map(({ all, or }) => ({ ...all, or })),
);

/** A random filter of recordings and their calls, for a table of the service and for its twin. */
export const recordingFilter: fc.Arbitrary<[filter: Filter, ofTwin: Filter]> = fc
  .record(
    {
      dateCreated: someTime,
      status: fc.constantFrom('in-progress', 'completed'),
      duration: bound(fc.constantFrom(...durations)),
      call: fc.oneof(ofColumn(texts, anyText), ofColumn(figures, anyNumber), serviceFilter),
    },
    { requiredKeys: [] },
  )
  .map(({ call, ...own }) =>
    call === undefined
      ? [own, own]
      : [
          { ...own, callSid: { inSelect: { table: 'Calls', field: 'sid', where: call } } },
          { ...own, callRow: { inSelect: { table: 'Twin', field: 'id', where: call } } },
        ],
  );
