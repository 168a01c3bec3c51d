import { definitions, type Field, fieldTypes, type RecordField } from '../../src/builder.ts';

type TypeName = (Field | RecordField)['type'];

const { id } = definitions.manifest;

/**
 * NocoBase's name for a column type, which determines how it shows and filters the column.
 *
 * @param type the type of the column's field
 * @param isFilter whether the service filters by it
 */
export const interfaceOf = (type: TypeName, isFilter: boolean): string =>
  `${id}-${type}${isFilter ? '-filter' : ''}`;

/** The interface of a record's audio. */
export const mediaInterface = `${id}-media`;

/** The interface of a record's picture. */
export const pictureInterface = `${id}-picture`;

/** The interface of a duration. */
export const durationInterface = `${id}-duration`;

/** All column interfaces, with their field types. */
export const interfaces = Object.keys(fieldTypes).flatMap((name) => {
  const type = name as TypeName;
  return [true, false].map((isFilter) => ({ name: interfaceOf(type, isFilter), type, isFilter }));
});
