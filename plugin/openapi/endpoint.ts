import { type Field, isAction, type Operation, requestOf } from '../../src/builder.ts';
import { quoted } from './schema.ts';

/** The operations that share a method and a path, which are one operation in an OpenAPI document. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  /** The path below the account, or below the sister host. */
  path: string;
  /** The most general operation, which names the endpoint. */
  lead: Operation;
  others: Operation[];
  /**
   * The fields of all operations, by location and wire name. A field is optional unless every operation requires it.
   */
  fields: Field[];
  /** Parameters of the query or the form with fixed values, and whether all operations send them. */
  fixed: Record<string, { values: string[]; required: boolean }>;
}

const requiredFields = ({ fields }: Operation) => fields.filter(({ required }) => required);
/** The parameters that an operation always sends, in the query of a read and the form of an action. */
export const fixedOf = (one: Operation): Record<string, string> => one.request.fixed ?? {};
const isFiltered = (one: Operation) => 'ownedBy' in one;

/** Ranks how specific an operation is: by what it requires, then by whether the service may ignore its filter. */
const specialty = (one: Operation) =>
  2 * (requiredFields(one).length + Object.keys(fixedOf(one)).length) + Number(isFiltered(one));

const isSame = (one: Field) => (other: Field) => one.in === other.in && one.name === other.name;

/** One field for the same parameter of several operations: the texts of the first, and the values of all. */
function merge(field: Field, all: Operation[]): Field {
  const same = all.map(({ fields }) => fields.find(isSame(field)));
  const found = same.filter((one) => one !== undefined);
  const options = [...new Set(found.flatMap((one) => one.options ?? []))] as [string, ...string[]];
  return {
    ...field,
    ...(field.options ? { options } : {}),
    required: same.every((one) => one?.required),
  };
}

function endpointOf(all: Operation[]): Endpoint {
  const [lead, ...others] = all.toSorted((one, other) => specialty(one) - specialty(other));
  if (!lead) throw new RangeError('An endpoint has an operation.');
  const fields = [lead, ...others].flatMap((one) => one.fields);
  const unique = fields.filter((field, index) => fields.findIndex(isSame(field)) === index);
  const names = new Set(all.flatMap((one) => Object.keys(fixedOf(one))));
  const fixed = [...names].map((name) => {
    const values = all.map((one) => fixedOf(one)[name]);
    const given = [...new Set(values.filter((value) => value !== undefined))];
    return [name, { values: given, required: !values.includes(undefined) }] as const;
  });
  return {
    ...lead.request,
    ...{ lead, others, fixed: Object.fromEntries(fixed) },
    fields: unique.map((field) => merge(field, all)),
  };
}

/** The endpoints of all operations, in the order of the manifest. */
export function endpoints(operations: readonly Operation[]): Endpoint[] {
  const requests = new Set(operations.map(requestOf));
  return [...requests].map((request) =>
    endpointOf(operations.filter((one) => requestOf(one) === request)),
  );
}

/** Returns what a parameter with fixed values always is. */
export const fixedText = (values: string[]): string =>
  `Always ${values.map((value) => value || 'empty').join(' or ')}.`;

/** Returns a sentence about the requirements of one of the other operations. */
function needsOf(one: Operation): string {
  const labels = requiredFields(one).map(({ label }) => label);
  const fixed = Object.entries(fixedOf(one)).map(([name, value]) => `${name}=${value}`);
  return labels.length + fixed.length > 0 ? ` Requires ${quoted([...labels, ...fixed])}.` : '';
}

/** Some services ignore a filter and return all records. Only the plugin filters them. */
function limitOf(one: Operation): string {
  if (!('ownedBy' in one) || !one.ownedBy) return '';
  const { field } = one.ownedBy;
  const label = one.fields.find(({ key }) => key === field)?.label ?? field;
  return ` The service may ignore ${quoted([label])}; the plugin checks each record.`;
}

/** Returns a sentence for an operation that needs exactly one of some fields. */
export function choiceOf(one: Operation): string {
  const keys: string[] = (isAction(one) && one.exactlyOneOf) || [];
  const labels = one.fields.filter(({ key }) => keys.includes(key)).map(({ label }) => label);
  return labels.length > 0 ? ` Fill in exactly one of ${quoted(labels)}.` : '';
}

/** The description of an operation, without the sentences that refer to another one of its endpoint: in a document, they are the same. */
const ownDescription = (one: Operation, { lead, others }: Endpoint) =>
  one.description
    .split(/(?<=\.) /)
    .filter((sentence) => ![lead, ...others].some(({ name }) => sentence.includes(name)))
    .join(' ');

/** Describes all operations of an endpoint. */
export function descriptionOf(endpoint: Endpoint): string {
  const { lead, others } = endpoint;
  const textOf = (one: Operation, needs: string) =>
    ownDescription(one, endpoint) + needs + choiceOf(one) + limitOf(one);
  const more = others.map((one) => `- **${one.name}**: ${textOf(one, needsOf(one))}`);
  const list = more.length > 0 ? `\n\nIt also serves:\n\n${more.join('\n')}` : '';
  return textOf(lead, '') + list;
}
