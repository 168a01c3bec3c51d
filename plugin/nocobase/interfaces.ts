import { definitions, type Field, fieldTypes, type RecordField } from '../../src/builder.ts';

type TypeName = (Field | RecordField)['type'];

const { id } = definitions.manifest;

/**
 * NocoBase's name for what a column means: how it is shown, and by what it can be filtered.
 *
 * @param type the type of its field
 * @param isFilter whether the service filters by it
 */
export const interfaceOf = (type: TypeName, isFilter: boolean): string =>
  `${id}-${type}${isFilter ? '-filter' : ''}`;

/** That of a record's audio. */
export const mediaInterface = `${id}-media`;

/** That of a record's picture. */
export const pictureInterface = `${id}-picture`;

/** That of a duration. */
export const durationInterface = `${id}-duration`;

/** Every interface of a column, and of what type it is. */
export const interfaces = Object.keys(fieldTypes).flatMap((name) => {
  const type = name as TypeName;
  return [true, false].map((isFilter) => ({ name: interfaceOf(type, isFilter), type, isFilter }));
});
