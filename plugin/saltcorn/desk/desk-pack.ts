/** Makes the pack of telephony pages that users can install, from the packs of the demo. */
import { definitions } from '../../../src/builder.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Entity = { [key: string]: Json } & { name: string };

/** A pack of Saltcorn, of which the demo uses these parts. */
export interface Pack {
  tables: Entity[];
  views: Entity[];
  pages: Entity[];
  triggers: Entity[];
  /** Groups of parts, by the kinds and names of these. */
  tags?: { entries: Record<string, string>[] }[];
  config?: { page_custom_css?: string };
}

const { id, name: prefix } = definitions.manifest;

/** The names of the parts that a pack tags, because only the demo needs them. */
const taggedNames = ({ tags = [] }: Pack) =>
  new Set(tags.flatMap(({ entries }) => entries.flatMap((entry) => Object.values(entry))));

const receiveCard: Json = {
  type: 'card',
  title: 'Receive SMS',
  shadow: true,
  contents: {
    above: [
      {
        type: 'blank',
        contents:
          'New SMS appear here once webhooks or polling are set up under Events in the settings of the module.',
      },
      {
        type: 'container',
        customClass: 'mt-2',
        contents: {
          ...{ type: 'link', link_src: 'URL', text: 'Open the settings' },
          url: `/plugins/configure/${id}`,
        },
      },
    ],
  },
};

/** A name that a user's own table, view or page is unlikely to have. Pages have names of small letters. */
const ownName = (name: string): string =>
  /^[a-z-]+$/.test(name)
    ? `${prefix.toLowerCase()}-${name}`
    : `${prefix} ${name.charAt(0).toLowerCase()}${name.slice(1)}`;

/** Renames what a pack refers to. Saltcorn writes references in a different way under each of these keys. */
function renamer({ tables, views, pages }: Pack): (key: string, text: string) => string {
  const isOf = (entities: Entity[]) => {
    const names = new Set(entities.map(({ name }) => name));
    return (name: string) => (names.has(name) ? ownName(name) : name);
  };
  const [table, view, page] = [isOf(tables), isOf(views), isOf(pages)];
  const tablePart = (text: string) => text.replace(/^[^.$]+/, table);
  const inCode = (text: string) =>
    views.reduce(
      (code, { name }) =>
        code
          .replaceAll(`"${name}"`, `"${ownName(name)}"`)
          .replaceAll(
            `/view/${encodeURIComponent(name)}?`,
            `/view/${encodeURIComponent(ownName(name))}?`,
          ),
      text,
    );
  const byKey: Record<string, (text: string) => string> = {
    table,
    rows_table: table,
    key_from: tablePart,
    key_to: tablePart,
    key_callSid: tablePart,
    relation: (text) => text.split('.').map(tablePart).join('.'),
    view: (text) => text.replace(/[^:]+$/, view),
    page_when_done: page,
    menu_label: ownName,
    _row_click_url_formula: inCode,
    contents: inCode,
    row_expr: (text) => text.replace(/(?<=")[^".]+(?=\.)/g, table),
    // The sender of the user's own account is used.
    from: (text) => (text.startsWith('+') ? '' : text),
    default: (text) => (text.startsWith('+') ? '' : text),
  };
  return (key, text) => byKey[key]?.(text) ?? text;
}

/** Changes all texts of a JSON value, by the key that holds them. */
function mapTexts(value: Json, key: string, change: (key: string, text: string) => string): Json {
  if (typeof value === 'string') return change(key, value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, key, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, mapTexts(one, name, change)]),
  );
}

/** Replaces the cards of views of the demo by one that says how to receive SMS. */
function withReceiveCard(value: Json, demoOnly: Set<string>): Json {
  if (Array.isArray(value)) return value.map((one) => withReceiveCard(one, demoOnly));
  if (typeof value !== 'object' || value === null) return value;
  const { type, contents } = value;
  const shown = type === 'card' && typeof contents === 'object' && contents;
  if (shown && !Array.isArray(shown) && demoOnly.has(String(shown.view))) return receiveCard;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withReceiveCard(one, demoOnly)]),
  );
}

/** The demo's styles of lists. Its styles of the menu would change the user's other pages. */
function styleOf({ config }: Pack, change: (text: string) => string): Json {
  const lines = (config?.page_custom_css ?? '').split('\n');
  const own = lines.filter((line) => !line.includes('#wrapper')).join('\n');
  const css = change(own).replace('^="Filter"', `^="${ownName('Filter')}"`);
  return { type: 'blank', isHTML: true, contents: `<style>${css}</style>` };
}

/**
 * Joins the packs of the demo's desk and inbox into one for a Saltcorn with pages of its own: under names of its own,
 * without the demo's settings, sender and home page.
 */
export function deskPack(desk: Pack, inbox: Pack): object {
  const demoOnly = taggedNames(inbox);
  const isKept = ({ name }: Entity) => !demoOnly.has(name);
  const all: Pack = {
    tables: [...desk.tables, ...inbox.tables].filter(isKept),
    views: [...desk.views, ...inbox.views].filter(isKept),
    pages: [...desk.pages, ...inbox.pages],
    triggers: [...desk.triggers, ...inbox.triggers].filter(isKept),
  };
  const change = renamer(all);
  const style = styleOf(desk, (css) => change('contents', css));
  const renamed = (entities: Entity[]): Entity[] =>
    entities.map((entity) => ({
      ...(mapTexts(withReceiveCard(entity, demoOnly), '', change) as Entity),
      name: ownName(entity.name),
    }));
  const styled = (layout: Json | undefined): Json => ({ above: [layout ?? '', style] });
  return {
    tables: renamed(all.tables),
    views: renamed(all.views).map((view) => {
      const { configuration } = view as { configuration?: { layout?: Json } };
      // These views are pages of their own.
      return view.viewtemplate === 'Show'
        ? { ...view, configuration: { ...configuration, layout: styled(configuration?.layout) } }
        : view;
    }),
    pages: renamed(all.pages).map((page) => ({
      ...page,
      layout: styled(page.layout),
      root_page_for_roles: [],
    })),
    triggers: renamed(all.triggers),
    ...{ plugins: [], roles: [], library: [], tags: [], models: [], model_instances: [] },
    ...{ event_logs: [], page_groups: [], code_pages: [] },
  };
}
