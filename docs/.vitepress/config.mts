import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';

const root = join(import.meta.dirname, '../..');

/** The title of a page, without what all guides begin with. */
const titleOf = (page: string) =>
  /^# (?:Telephony for )?(.+)$/m.exec(readFileSync(join(root, `${page}.md`), 'utf8'))?.[1] ?? page;

const group = (text: string, pages: string[]) => ({
  text,
  items: pages.map((page) => ({ text: titleOf(page), link: `/${page}` })),
});

/** Pages in the order of the sidebar. */
const groups: [name: string, folder: string, pages: string[]][] = [
  ['Start', 'docs', ['install', 'questions', 'troubleshooting', 'glossary']],
  [
    'Builders',
    'docs/builders',
    [
      ...['saltcorn', 'saltcorn-recipes', 'node-red', 'node-red-recipes'],
      ...['nocobase', 'nocobase-recipes', 'n8n', 'budibase', 'tooljet', 'gateway', 'others'],
    ],
  ],
  ['Your account', 'docs', ['account', 'costs', 'limits']],
  ['What is guaranteed', 'docs', ['promises', 'security']],
  ['Programs', 'docs', ['api', 'api-events', 'reference']],
];

export default defineConfig({
  title: 'Telephony plugin',
  description: 'Calls, recordings and SMS in Saltcorn, Node-RED, NocoBase, n8n and more.',
  srcDir: root,
  srcExclude: ['demo/**', 'dist/**', 'test/**', '**/node_modules/**'],
  outDir: join(root, 'dist/site'),
  cacheDir: join(root, 'node_modules/.cache/vitepress'),
  rewrites: { 'README.md': 'index.md' },
  markdown: {
    // Vue would evaluate `{{ phone }}`.
    config({ renderer: { rules } }) {
      for (const kind of ['text', 'code_inline']) {
        const rule = rules[kind];
        rules[kind] = (...token) => rule?.(...token).replaceAll('{{', '&#123;&#123;') ?? '';
      }
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // Users' questions find users' pages.
        _render: (source, env, md) =>
          /^(CHANGELOG|CONTRIBUTING|bench|docs\/contributing)/.test(env.relativePath)
            ? ''
            : md.render(source, env),
        translations: { button: { buttonText: 'Search', buttonAriaLabel: 'Search' } },
      },
    },
    outline: [2, 3],
    sidebar: groups.map(([name, folder, pages]) =>
      group(
        name,
        pages.map((page) => `${folder}/${page}`),
      ),
    ),
  },
});
