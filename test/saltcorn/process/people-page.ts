import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { button } from '../app.ts';
import { artefact } from '../host.ts';
import { admin, type SaltcornServer, startSaltcornServer } from '../saltcorn-server.ts';
import { Visitor } from '../website.ts';

const types = {
  name: 'String',
  phone: 'String',
  batch: 'String',
  sms: 'String',
  sms_sid: 'String',
};

/** A table, and a page with a button that texts its rows. */
const pack = (configuration: object) => ({
  tables: [
    {
      ...{ name: 'People', min_role_read: 1, min_role_write: 1 },
      fields: Object.entries({ ...types, sms_at: 'Date' }).map(([name, type]) => ({
        ...{ name, label: name, type },
      })),
    },
  ],
  ...{ plugins: [], views: [], triggers: [] },
  pages: [
    {
      ...{ name: 'each', title: 'each', description: '', min_role: 1, fixed_states: {} },
      root_page_for_roles: [],
      layout: {
        above: [
          button('all', 'Send SMS for each row', {
            ...{ rows_table: 'People', rows_of_page: false, from: '+14155550100' },
            ...{ to: '{{ phone }}', body: 'Dear {{ name }}', ...configuration },
          }),
        ],
      },
    },
  ],
});

function packFile(configuration: object) {
  const file = join(temporaryFolder('people'), 'pack.json');
  writeFileSync(file, JSON.stringify(pack(configuration)));
  return file;
}

/** The path of the button's action. */
export const pressPath = '/page/each/action/all';

/**
 * Starts a Saltcorn with a table of people, and a page with a button that texts those whose `batch` is in the page's URL.
 *
 * @param configuration of the button
 */
export async function openPeople(
  settings: object,
  configuration: object,
): Promise<{ server: SaltcornServer; boss: Visitor }> {
  const server = await startSaltcornServer({
    ...{ plugin: artefact, pack: packFile(configuration) },
    configuration: { ...settings, freshSeconds: 0 },
  });
  return { server, boss: await new Visitor(server.url).logIn(admin.email, admin.password) };
}
