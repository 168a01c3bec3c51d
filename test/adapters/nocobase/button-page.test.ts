import { assertPageShown } from '../../../plugin/nocobase/server/action/button-page.ts';

const routes = [
  { id: 1, parentId: null, schemaUid: 'page' },
  { id: 2, parentId: 1, schemaUid: 'tab' },
  { id: 3, parentId: 1, schemaUid: 'another tab' },
];
/** The routes that NocoBase shows to each role. */
const shownTo: Record<string, number[]> = { all: [1, 2, 3], tab: [2], page: [1, 3] };

const db = (ancestors: string[]) => ({
  getRepository: (name: string) => ({
    async find({ filter }: { filter: Record<string, { $in: string[] }> }) {
      const tables: Record<string, object[]> = {
        flowModelTreePath: ancestors.map((ancestor) => ({ ancestor })),
        desktopRoutes: routes.filter(({ schemaUid }) => filter.schemaUid?.$in.includes(schemaUid)),
        roles: (filter.name?.$in ?? []).map((role) => ({
          desktopRoutes: shownTo[role]?.map((id) => ({ id: String(id) })),
        })),
      };
      return tables[name]?.map((row) => ({ get: (key: string) => Reflect.get(row, key) }));
    },
  }),
});

const check = (ancestors: string[], currentRoles: string[]) =>
  assertPageShown({ db: db(ancestors) } as unknown as Parameters<typeof assertPageShown>[0], 'b', {
    state: { currentRoles },
  } as Parameters<typeof assertPageShown>[2]);

test.each([
  ['a page of the role', ['tab', 'block', 'b'], ['all']],
  ['a page and a tab of two roles', ['tab', 'b'], ['tab', 'page']],
  ['no page, as in a popup template', ['template', 'b'], []],
])('a button can be used on %s', async (_, ancestors, roles) => {
  await expect(check(ancestors, roles)).resolves.toBeUndefined();
});

test.each([
  ['a page', ['tab']],
  ['a tab', ['page']],
  ['a page of no role', []],
])('a button is refused on %s that is hidden from the role', async (_, roles) => {
  await expect(check(['tab', 'block', 'b'], roles)).rejects.toMatchObject({ status: 403 });
});
