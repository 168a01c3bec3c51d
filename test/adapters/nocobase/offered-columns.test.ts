import {
  offeredColumns,
  type Variable,
} from '../../../plugin/nocobase/client-v2/bulk/offered-columns.ts';
import { isUnreadable } from '../../../plugin/nocobase/client-v2/bulk/template.ts';

// Which columns of a row, and of related records, a button for several rows offers and accepts.

const relation = (type: string, all: Record<string, Variable>): Variable => ({
  options: { type },
  properties: async () => all,
});
const types: Record<string, string> = { customer: 'belongsTo', card: 'hasOne', tags: 'hasMany' };
const record = relation('', {
  phone: {},
  customer: relation('belongsTo', { phone: {}, city: relation('belongsTo', { name: {} }) }),
  card: relation('hasOne', { number: {} }),
  tags: relation('belongsToMany', { name: {} }),
});

async function namesIn(variable: Variable): Promise<object | true> {
  if (!variable.properties) return true;
  const entries = Object.entries(await variable.properties());
  return Object.fromEntries(
    await Promise.all(entries.map(async ([name, one]) => [name, await namesIn(one)])),
  );
}

test('offers columns of the row and of single related records', async () => {
  expect(await namesIn(offeredColumns(record))).toEqual({
    ...{ phone: true, customer: { phone: true }, card: { number: true } },
  });
});

test.each([
  ['Dear {{ ctx.record.name }}', false],
  ['{{ ctx.record.customer.phone }}', false],
  ['{{ ctx.record.card.number }} {{ ctx.user.phone }}', false],
  ['{{ ctx.record.tags.name }}', true],
  ['{{ ctx.record.customer.city.name }}', true],
  ['{{ ctx.record.customer[0].name }}', true],
  ['{{ ctx.recorder }}', false],
])('saves %j: it can not be read: %s', (text, isRefused) => {
  const getField = (name: string) => (types[name] ? { type: types[name] } : undefined);
  expect(isUnreadable(text, { getField })).toBe(isRefused);
});
