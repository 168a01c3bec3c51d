import { missingRow } from '../../../plugin/saltcorn/action/missing-row.ts';
import type { RunArguments } from '../../../plugin/saltcorn/action/run-arguments.ts';
import { inEnglish } from '../../../src/builder.ts';
import { sayAs } from '../../support/translations.ts';

const tableOf = (provider_name?: string) => ({
  ...{ name: 'Files', provider_name, fields: [{ name: 'sid' }, { name: 'parentSid' }] },
  getRows: () => [],
});

const noRow =
  'needs a row of “Files”, but Saltcorn found none. Reload the page: the row may be gone.';
const unfilled = "If it's still there, set “Message SID” in the table's settings.";

const cases: [what: string, run: RunArguments, reason: string, problem: string | undefined][] = [
  ['no row', { table: tableOf() }, 'sid is not defined', noRow],
  ['no row of a list', { table: tableOf('Telephony: Account Calls') }, 'sid is not defined', noRow],
  [
    'no row of a list with a required filter',
    { table: tableOf('Telephony: Media of a Message') },
    'parentSid is not defined',
    `${noRow} ${unfilled}`,
  ],
  ['no such column', { table: tableOf() }, 'nothing is not defined', undefined],
  ['an invalid formula', { table: tableOf() }, 'Unexpected token', undefined],
  ['a row', { table: tableOf(), row: { sid: 'ME1' } }, 'parentSid is not defined', undefined],
  ['no table', {}, 'sid is not defined', undefined],
  ['a text instead of the table', { table: 'Files' }, 'sid is not defined', undefined],
];

test.each(cases)(
  'explains a formula with %s only if its row is missing',
  (_, run, reason, problem) => {
    const said = missingRow(run, reason);
    expect(said && inEnglish(said)).toBe(problem);
  },
);

test('explains it in the language of the user', async () => {
  const said = missingRow(
    { table: tableOf('Telephony: Media of a Message') },
    'sid is not defined',
  );
  expect(said && (await sayAs('de-DE', 'saltcorn'))(said)).toBe(
    'braucht eine Zeile von „Files“, aber Saltcorn hat keine gefunden. Laden Sie die Seite neu: Vielleicht gibt es die Zeile nicht mehr. Wenn es sie noch gibt, setzen Sie „Message SID“ in den Einstellungen der Tabelle.',
  );
});
