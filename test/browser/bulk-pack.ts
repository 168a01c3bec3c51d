import { readDocument, sectionOf, snippetsOf } from '../document.ts';
import { button, embedded } from '../saltcorn/app.ts';

const everyone = 100;
const text = (name: string) => ({ name, label: name, type: 'String' });

/** People that a button texts, one of whom wants no messages. */
export const people = [
  { name: 'Ada', phone: '+12025550101', wants: 'yes' },
  { name: 'Barbara', phone: '+12025550104', wants: 'yes' },
  { name: 'Edsger', phone: '+12025550103', wants: 'no' },
  { name: 'Grace', phone: '+12025550102', wants: 'yes' },
];

const sms = { from: '+14155550100', to: '{{ phone }}', body: 'Dear {{ name }}' };
const eachRow = { ...sms, rows_table: 'Customers', rows_of_page: true, rows_limit: 100 };
const all = button('Text them', 'Send SMS for each row', eachRow);
const noted = {
  rows_of_page: false,
  rows_outcome: 'sms',
  rows_sid: 'sms_sid',
  rows_time: 'sms_time',
};
const campaign = button('Send to all', 'Send SMS for each row', { ...eachRow, ...noted });
const one = button('Text one', 'Send SMS', { ...sms, to: '+12025550199', body: 'Hello' });

const columns = ['name', 'phone', 'wants'];

const list = {
  ...{ name: 'people', viewtemplate: 'List', table: 'Customers', min_role: everyone },
  configuration: {
    columns: [
      ...columns.map((field_name) => ({ type: 'Field', field_name, fieldview: 'as_text' })),
      { ...all, type: 'Action' },
    ],
    layout: {
      list_columns: true,
      besides: [
        ...columns.map((field_name) => ({
          header_label: field_name,
          contents: { type: 'field', field_name, fieldview: 'as_text' },
        })),
        { contents: all },
      ],
    },
    default_state: { _header_filters: true, _order_field: 'name' },
  },
};

const shown: [field_name: string, fieldview: string, header_label: string][] = [
  ['name', 'as_text', 'Name'],
  ['phone', 'phone_link', 'Phone'],
  ['sms', 'status_badge', 'SMS'],
  ['sms_time', 'format', 'At'],
];
const format = { format: 'D MMM HH:mm' };

const reached = {
  ...{ name: 'reached', viewtemplate: 'List', table: 'Customers', min_role: everyone },
  configuration: {
    columns: shown.map(([field_name, fieldview]) => ({
      ...{ type: 'Field', field_name, fieldview },
      configuration: format,
    })),
    layout: {
      list_columns: true,
      besides: shown.map(([field_name, fieldview, header_label]) => ({
        header_label,
        contents: { type: 'field', field_name, fieldview, configuration: format },
      })),
    },
    default_state: { _order_field: 'name' },
  },
};

const whoNot = sectionOf(readDocument('docs/recipes.md'), 'Who did not get it?');
const [formula = ''] = snippetsOf(whoNot, 'js');

const told: [header_label: string, column: object][] = [
  ['Name', { type: 'JoinField', join_field: 'toRow.name' }],
  ['Body', { type: 'Field', field_name: 'body', fieldview: 'as_text' }],
  ['Error code', { type: 'Field', field_name: 'errorCode', fieldview: 'error_in_words' }],
];

const notDelivered = {
  ...{ name: 'Not delivered', viewtemplate: 'List', table: 'Sent messages', min_role: 1 },
  configuration: {
    columns: told.map(([, column]) => column),
    layout: {
      list_columns: true,
      besides: told.map(([header_label, column]) => ({
        header_label,
        contents: { ...column, type: 'field_name' in column ? 'field' : 'join_field' },
      })),
    },
    default_state: { include_fml: formula.trim() },
  },
};

const page = (name: string, ...above: object[]) => ({
  ...{ name, title: name, description: '', min_role: everyone, fixed_states: {} },
  ...{ layout: { above }, root_page_for_roles: [] },
});

/** Pages with buttons that do something for each row of a list, which has a state of one kind or another. */
export const pack = {
  tables: [
    {
      ...{ name: 'Customers', min_role_read: everyone, min_role_write: 1 },
      fields: [
        ...[...columns, 'sms', 'sms_sid'].map(text),
        { name: 'sms_time', label: 'sms_time', type: 'Date' },
      ],
    },
    {
      ...{ name: 'Sent messages', provider_name: 'Telephony: Account Messages' },
      provider_cfg: { which_columns: 'all', key_to: 'Customers.phone' },
      ...{ min_role_read: 1, min_role_write: 1, fields: [] },
    },
  ],
  views: [list, reached, notDelivered],
  pages: [
    page('shared', all, embedded('people')),
    page('local', all, embedded('people', 'local')),
    page('fixed', all, embedded('people', 'fixed', { wants: 'yes' })),
    page('one', one),
    page('campaign', embedded('reached'), campaign),
  ],
  triggers: [
    {
      ...{ name: 'remind', action: 'Send SMS for each row', when_trigger: 'Never' },
      ...{ configuration: eachRow, min_role: 1 },
    },
  ],
  config: { content_security_policy: 'Enabled' },
  ...{ plugins: [], roles: [], library: [], tags: [], models: [], model_instances: [] },
  ...{ event_logs: [], page_groups: [], code_pages: [] },
};
