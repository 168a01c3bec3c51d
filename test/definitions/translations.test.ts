import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions, type LimitField, replyForms } from '../../src/builder.ts';
import { root } from '../support/root.ts';

const readTexts = (folder: string, name: string): Record<string, string> =>
  JSON.parse(readFileSync(join(root, folder, name), 'utf8'));
const languages = readdirSync(join(root, 'translations')).filter((name) => name.endsWith('.json'));

interface Described {
  name?: string;
  label?: string;
  description?: string;
  help?: string;
  setUp?: string;
  ifNotFound?: string;
  ifUnknown?: string;
  asks?: string;
  done?: string;
  batch?: { one: string; other: string; outcome?: string };
  results?: { one: string; other: string };
  fields?: readonly Described[];
}

/** The texts of a definition that builders show. */
const textsOf = ({
  name,
  label,
  description,
  help,
  setUp,
  ifNotFound,
  ifUnknown,
  asks,
  done,
  batch,
  results,
  fields,
}: Described): string[] => [
  ...[
    label ?? name,
    description,
    help,
    setUp,
    ifNotFound,
    ifUnknown,
    asks,
    done,
    batch?.outcome,
  ].filter((text) => text !== undefined),
  ...[batch, results].flatMap((texts) => (texts ? [texts.one, texts.other] : [])),
  ...(fields ?? []).flatMap(textsOf),
];

const { manifest, settings, dataSources, actions, events, records, errors } = definitions;
const limits: readonly LimitField[] = settings.limits;
const shown: Described[] = [
  { name: manifest.name },
  ...[
    settings,
    { fields: limits },
    ...dataSources,
    ...actions,
    ...events,
    ...replyForms,
    ...records,
  ],
];

interface MediaTexts {
  label: string;
  otherwise?: string;
  without?: readonly { message: string }[];
}

/** The texts about the audio or the picture of a record. */
const mediaTexts = ({ label, otherwise, without = [] }: MediaTexts): string[] => [
  label,
  ...(otherwise ? [otherwise] : []),
  ...without.map(({ message }) => message),
];

test.each(languages)('%s has every text of the definitions, and no other', (language) => {
  const texts = Object.keys(readTexts('translations', language));
  const known = new Set([
    ...shown.flatMap(textsOf),
    ...records.flatMap(({ media }) => (media ? mediaTexts(media) : [])),
    ...records.flatMap(({ fields }) => fields.flatMap(({ options = [] }) => options)),
    ...errors.map((error) => error.sentence),
    ...limits.flatMap(({ options = [] }) => options.map(({ label }) => label)),
  ]);
  expect(texts.sort()).toEqual([...known].sort());
});
