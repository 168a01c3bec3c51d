import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readTranslations } from '../../schema/read-translations.ts';
import { definitions, replyForms } from '../../src/builder.ts';
import { deskFile } from './desk/desk-file.ts';
import { deskPack } from './desk/desk-pack.ts';
import { textPrefix } from './text-prefix.ts';

/** Saltcorn's language codes have no region. */
const languageOf = (language: string) => language.split('-')[0];

const { dataSources, actions, events } = definitions;
const named = [...dataSources, ...actions, ...events, ...replyForms];

/** The texts by their keys. Saltcorn's lists name operations and events in English, so texts that quote a name quote that one. */
function catalogue(texts: Record<string, string>): Record<string, string> {
  const listed = new Map(named.map(({ name }) => [texts[name], name]));
  return Object.fromEntries(
    Object.entries(texts).map(([text, translation]) => [
      textPrefix + text,
      translation.replace(/(?<=[„“])[^„“”]+(?=[“”])/g, (quoted) => {
        const name = listed.get(quoted);
        return name && text.includes(name) ? name : quoted;
      }),
    ]),
  );
}

/**
 * The package's files except its code: the pack of telephony pages, and the translations, which Saltcorn reads at startup.
 *
 * @param root the folder of the repository
 */
export async function files(root: string): Promise<Record<string, string>> {
  const [desk, inbox] = await Promise.all(
    ['desk', 'inbox'].map(async (pack) =>
      JSON.parse(await readFile(join(root, `demo/saltcorn/${pack}.json`), 'utf8')),
    ),
  );
  return {
    [deskFile]: JSON.stringify(deskPack(desk, inbox)),
    ...Object.fromEntries(
      Object.entries(await readTranslations(root, 'saltcorn')).map(([language, texts]) => [
        `locales/${languageOf(language)}.json`,
        JSON.stringify(catalogue(texts)),
      ]),
    ),
  };
}
