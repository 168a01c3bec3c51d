import {
  type Action,
  definitions,
  type Field,
  isSenderField,
  sidColumn,
} from '../../../../src/builder.ts';
import { sourceNamed } from '../../source-named.ts';

/** The parts of a NocoBase collection that a new button depends on. */
export interface RowCollection {
  name: string;
  dataSource?: { options?: { type?: string } };
  getFields(): { name: string; interface?: string }[];
}

const { id: plugin } = definitions.manifest;

/** The data source that a collection shows; undefined for other tables. */
const sourceOf = ({ name, dataSource }: RowCollection) =>
  dataSource?.options?.type === plugin ? sourceNamed(name) : undefined;

/** The column with the SID that a field expects. */
function sidColumnOf(field: Field, collection: RowCollection): string | undefined {
  const source = sourceOf(collection);
  if (source) return sidColumn(field, source);
  return collection.getFields().find(({ name }) => name === field.key)?.name;
}

/** The only column with phone numbers; undefined if there are several. */
function phoneColumn(collection: RowCollection): string | undefined {
  const all = collection.getFields();
  const phones = all.filter((one) => one.interface?.split('-').includes('phone'));
  const [only, ...others] = phones.length > 0 ? phones : all.filter(({ name }) => name === 'phone');
  return others.length === 0 ? only?.name : undefined;
}

function columnFor(field: Field, collection: RowCollection): string | undefined {
  if (!field.required || isSenderField(field)) return undefined;
  if (field.type === 'sid') return sidColumnOf(field, collection);
  return field.type === 'phone' ? phoneColumn(collection) : undefined;
}

/** The initial values of a new button's fields, from columns of its row, by key. */
export const rowValues = ({ fields }: Action, collection: RowCollection): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const column = columnFor(field, collection);
      return column ? [[field.key, `{{ ctx.record.${column} }}`]] : [];
    }),
  );

/** Whether an action makes sense for a collection's rows: one for calls doesn't in a list of messages. */
export function suits({ fields }: Action, collection: RowCollection): boolean {
  if (!sourceOf(collection)) return true;
  const wanted = fields.filter(({ type, required }) => type === 'sid' && required);
  return wanted.every((field) => sidColumnOf(field, collection) !== undefined);
}
