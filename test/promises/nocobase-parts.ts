import { addPages } from '../../demo/nocobase/desk.ts';
import type { Visitor } from '../../demo/nocobase/visitor.ts';
import { definitions, isList, recordShape } from '../../src/index.ts';
import { addWorkflowOnTable, type TableWithWorkflow } from '../nocobase/workflow-on-table.ts';
import { addPeople, peoplePage } from './nocobase-for-each-row.ts';

const sender = '+15005550006';
const node = (id: string) => `${definitions.manifest.id}-${id}`;

/** Tables of whose rows a workflow does something when they are added. */
const tables: TableWithWorkflow[] = [
  {
    ...{ name: 'recipients', columns: ['phone', 'fone'], isAwaited: true },
    nodes: [
      {
        type: node('send-sms'),
        input: { from: sender, to: '{{$context.data.phone}}', body: 'Your table is ready.' },
      },
    ],
  },
  {
    ...{ name: 'callers', columns: ['phone', 'fone'], isAwaited: true },
    nodes: [{ type: node('recordings-by-caller-id'), input: { from: '{{$context.data.phone}}' } }],
  },
  {
    ...{ name: 'reminders', columns: ['to', 'body'], isAwaited: false },
    nodes: [
      {
        type: node('send-sms'),
        input: { from: sender, to: '{{$context.data.to}}', body: '{{$context.data.body}}' },
      },
    ],
  },
];

const ofUser = [
  {
    ...{ collection: 'recordings_by_caller_id', where: { from: '{{ ctx.user.phone }}' } },
    ...{ buttons: [], rowButtons: [] },
    columns: [{ field: 'sid', use: 'DisplayTextFieldModel', width: 340 }],
  },
];
const form = [
  {
    ...{ collection: 'reminders', rowButtons: [], columns: [] },
    buttons: [{ use: 'TelephonySendSmsActionModel', run: { from: sender, ask: true } }],
  },
];

/** The models that NocoBase and the plugin show columns with by themselves, where they are not texts. */
const shownWith: Record<string, string> = {
  choice: 'DisplayEnumFieldModel',
  date: 'DisplayDateTimeFieldModel',
  integer: 'DisplayNumberFieldModel',
  number: 'DisplayNumberFieldModel',
  phone: 'TelephonyPhoneFieldModel',
};
const text = 'DisplayTextFieldModel';

/** A page for each list that needs no input and has records in the table of promises, with all columns. */
const lists = definitions.dataSources
  .filter((source) => isList(source) && !source.fields.some(({ required }) => required))
  .filter(({ result }) => result.of !== 'message')
  .map(({ id, name, result }) => ({
    ...{ title: name, icon: 'TableOutlined' },
    blocks: [
      {
        ...{ collection: id.replaceAll('-', '_'), buttons: [], rowButtons: [] },
        columns: [
          ...recordShape(result.of).fields.map(({ key, type }) => ({
            ...{ field: key, use: shownWith[type] ?? text },
          })),
          ...(recordShape(result.of).media
            ? [{ field: 'media', use: 'TelephonyPlayerFieldModel' }]
            : []),
        ],
      },
    ],
  }));

/** What a NocoBase has for the table of promises, besides the demo's desk: tables, workflows and pages, by their paths. */
export async function addParts(admin: Visitor) {
  for (const table of tables) await addWorkflowOnTable(admin, table);
  const icon = 'PhoneOutlined';
  await addPeople(admin);
  const [sms = '', people = ''] = await addPages(admin, 'main', [
    { title: 'Send', icon, blocks: form },
    peoplePage,
  ]);
  const [own = '', ...all] = await addPages(admin, definitions.manifest.id, [
    { title: 'My recordings', icon, blocks: ofUser },
    ...lists,
  ]);
  return { sms, people, own, all };
}
