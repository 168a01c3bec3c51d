import { renderError, renderForbidden } from '../../../plugin/nocobase/server/action/action.ts';
import { Forbidden, rightTo } from '../../../plugin/nocobase/server/action/rights.ts';
import { selectedRows } from '../../../plugin/nocobase/server/bulk/selected-rows.ts';
import { filterHint, readFilter } from '../../../plugin/nocobase/server/data-source/read-filter.ts';
import type { Context } from '../../../plugin/nocobase/server/nocobase.ts';
import { readTranslations } from '../../../schema/read-translations.ts';
import {
  actionOf,
  definitions,
  type Said,
  TelephonyError,
  unreadableHint,
} from '../../../src/builder.ts';
import { root } from '../../support/root.ts';
import { sayAs } from '../../support/translations.ts';

jest.mock('@nocobase/utils', () => ({}), { virtual: true });
jest.mock('@nocobase/server', () => ({}), { virtual: true });

const send = actionOf('send-sms');
const noRights = { roles: {}, buttonRoles: {} };

const recordings = definitions.dataSources.find(
  ({ id }) => id === 'get-all-recordings-for-a-given-call',
);
if (!recordings) throw new Error('The list of the tests is gone.');

const errors: [what: string, act: (context: Context) => unknown, status: number, german: string][] =
  [
    [
      'a filter that the service does not have',
      () => readFilter(recordings, { duration: 5 }),
      400,
      '„Alle Aufnahmen eines Anrufs“ lässt sich so nicht nach „Dauer“ filtern. Verwenden Sie „ist“ mit: Call SID.',
    ],
    [
      'a missing right',
      (context) => rightTo(noRights, send, context),
      403,
      'Ihre Rolle darf „SMS senden“ nicht verwenden.',
    ],
    [
      'no selected row',
      (context) => {
        const request = { dataSource: 'main', collection: 'people', rows: [], input: {} };
        return selectedRows({} as never, context, request);
      },
      400,
      'Es ist keine Zeile ausgewählt. Wählen Sie zuerst Zeilen aus. Es wurde nichts getan.',
    ],
  ];

test.each(errors)('%s is an error in the language of the user', async (_, act, status, german) => {
  const texts = (await readTranslations(root, 'nocobase'))['de-DE'] ?? {};
  const t = (text: string) => texts[text] ?? text;
  const context = { state: { currentRoles: ['member'] }, t } as unknown as Context;
  try {
    await act(context);
  } catch (error) {
    if (error instanceof Forbidden) renderForbidden(error, context);
    if (error instanceof TelephonyError) renderError(error, context);
  }
  expect(context).toMatchObject({ status, body: { errors: [{ message: german }] } });
});

const hints: [what: string, hint: Said | undefined, german: string][] = [
  [
    'a required filter',
    filterHint(recordings, readFilter(recordings, undefined), false),
    'Setzen Sie „Call SID“ im Datenbereich des Blocks, um „Alle Aufnahmen eines Anrufs“ anzuzeigen.',
  ],
  [
    'records that the plugin cannot read',
    unreadableHint(recordings, 2),
    'Hier fehlen 2 Datensätze: Der Dienst hat sie ohne SID gesendet, deshalb kann das Plugin sie nicht lesen.',
  ],
];
test.each(hints)('the hint about %s is in the language of the user', async (_, hint, german) => {
  expect(hint && (await sayAs('de-DE'))(hint)).toBe(german);
});
