import { definitions } from '../../src/index.ts';

const everyone = 100;

const table = (name: string, source: string, configuration: object = {}) => ({
  ...{ name, min_role_read: everyone, min_role_write: 1, fields: [] },
  provider_name: `${definitions.manifest.name}: ${source}`,
  provider_cfg: configuration,
});

const column = { field_name: 'sid', fieldview: 'as_text' };

const list = (name: string) => ({
  ...{ name, table: name, viewtemplate: 'List', min_role: everyone },
  configuration: {
    columns: [{ ...column, type: 'Field' }],
    layout: {
      list_columns: true,
      besides: [{ header_label: 'Sid', contents: { ...column, type: 'field' } }],
    },
  },
});

const button = (rndid: string, action: string, configuration: object) => ({
  ...{ type: 'action', rndid, action_name: action, minRole: everyone },
  configuration,
});

const sms = { from: '+14155550100', to: '+12025550143' };

/**
 * A pack of lists, and of a page with buttons, for everyone.
 *
 * @param callSid the call that its page records, and whose recordings it lists
 */
export const packFor = (callSid: string) => ({
  tables: [
    table('calls', 'Calls by caller id'),
    table('takes', 'Get all Recordings for a given Call', { callSid }),
    table('voices', 'Recordings by caller id'),
    {
      ...{ name: 'Customers', min_role_read: 1, min_role_write: 1 },
      fields: ['name', 'phone'].map((name) => ({ name, label: name, type: 'String' })),
    },
  ],
  views: [list('calls'), list('takes'), list('voices')],
  pages: [
    {
      ...{ name: 'buttons', title: 'Buttons', description: '', min_role: everyone },
      layout: {
        above: [
          button('sms', 'Send SMS', { ...sms, body: 'Hi' }),
          button('morning', 'Send SMS', { ...sms, body: 'Good morning' }),
          button('evening', 'Send SMS', { ...sms, body: 'Good evening' }),
          button('all', 'Send SMS for each row', {
            ...{ ...sms, to: '{{ phone }}', body: 'Dear {{ name }}' },
            ...{ rows_table: 'Customers', rows_of_page: false },
          }),
          button('record', 'Create a Call Recording', { callSid }),
        ],
      },
      fixed_states: {},
      root_page_for_roles: [],
    },
  ],
  ...{ plugins: [], triggers: [], roles: [], library: [], tags: [], models: [] },
  ...{ model_instances: [], event_logs: [], page_groups: [], code_pages: [] },
});
