import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { barriers, type Foreign } from '../support/accessibility.ts';
import { type Browser, openBrowser, watchForFaults, windows } from '../support/browser.ts';
import { readDocument } from '../support/document.ts';
import { root } from '../support/root.ts';
import { serveHttp } from '../support/serve-http.ts';

/** For each question, what someone types who has it, and the page that answers it. */
const searches: Record<string, [typed: string, page: string]> = {
  'How do I get an account and a number?': ['get a number', 'questions'],
  'Can I keep my number?': ['keep number', 'questions'],
  'What does it cost?': ['cost', 'costs'],
  'Can I use two accounts?': ['two accounts', 'questions'],
  'How do I write first on WhatsApp?': ['whatsapp', 'questions'],
  'How do I use a template?': ['use a template', 'questions'],
  'How do I send tomorrow at nine?': ['send tomorrow', 'questions'],
  'How do I answer an SMS?': ['answer SMS', 'questions'],
  'What happens if someone replies STOP?': ['replies stop', 'questions'],
  'How do I stop everything at once?': ['stop everything', 'questions'],
  'How do I text 5,000 customers?': ['5,000 customers', 'questions'],
  'Was my message delivered?': ['delivered', 'costs'],
  'Can an SMS go out twice?': ['twice', 'promises'],
  'How do I send a picture?': ['send picture', 'questions'],
  'Must I write the country code?': ['country code', 'questions'],
  'How do I make a phone menu?': ['phone menu', 'builders/saltcorn-recipes'],
  'Can callers leave a message if no one answers?': ['no one answers', 'questions'],
  'Can I record every call?': ['record every call', 'questions'],
  'Where are the transcripts?': ['transcripts', 'questions'],
  "Does it work with Docker, or in a builder's cloud?": ['docker', 'questions'],
  'Does it work on a laptop?': ['laptop', 'questions'],
  'Who may press the button?': ['who may press', 'questions'],
  'How do I update?': ['update', 'questions'],
  'How do I move or back it up?': ['back up', 'questions'],
  'What about the GDPR?': ['gdpr', 'questions'],
  'Where do I get help?': ['get help', 'questions'],
  'Does Twilio make this?': ['twilio make', 'questions'],
};

/** What VitePress draws. */
const ofVitepress: Foreign = [
  // The button's name lacks the keys that it shows.
  { selector: '.DocSearch', rule: 'label-content-name-mismatch' },
  // The results are links within options.
  { selector: '.VPLocalSearchBox', rule: 'label-content-name-mismatch' },
  { selector: '.VPLocalSearchBox', rule: 'nested-interactive' },
];

const types: Record<string, string> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

describe('the site', () => {
  const site = join(root, 'dist/site');
  const foreign: string[] = [];
  let browser: Browser;
  let faults: string[];
  let url: string;

  beforeAll(async () => {
    execFileSync('npm', ['run', '--silent', 'site'], { cwd: root });
    ({ url } = await serveHttp(async ({ url: path = '/' }, response) => {
      const file = join(
        site,
        new URL(path, 'http://localhost').pathname.replace(/\/$/, '/index.html'),
      );
      if (!existsSync(file)) return response.writeHead(404).end();
      const type = types[file.split('.').at(-1) ?? ''] ?? '';
      response.writeHead(200, { 'content-type': type }).end(await readFile(file));
    }));
    browser = await openBrowser('site');
    faults = watchForFaults(browser.page);
    browser.page.on('request', (request) => {
      if (!request.url().startsWith(url)) foreign.push(request.url());
    });
  }, 300_000);

  /** The pages of the first results for some words, in the search that is open. */
  async function search(words: string): Promise<string[]> {
    const input = browser.page.locator('.search-input');
    const results = browser.page.locator('.results a.result');
    await input.fill('');
    await results.first().waitFor({ state: 'detached' });
    await input.fill(words);
    await results.first().waitFor();
    const links = await results.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    return links.map((link) => link?.replace(/^\/(docs\/)?|\.html.*$/g, '') ?? '');
  }

  test('has a search for each question', () => {
    const questions = [...readDocument('docs/questions.md').matchAll(/^### (.+)$/gm)];
    expect(Object.keys(searches)).toEqual(questions.map(([, question]) => question));
  });

  describe.each(windows)('%s', (where, width) => {
    beforeAll(async () => {
      await browser.page.setViewportSize({ width, height: 800 });
      await browser.page.goto(`${url}/`);
      await browser.page.getByRole('button', { name: 'Search' }).click();
    });

    test.each(Object.entries(searches))('answers “%s” first', async (_, [typed, page]) => {
      expect((await search(typed)).slice(0, 4)).toContain(page);
    });

    test('finds no barrier in the results', async () => {
      await search('whatsapp');
      await browser.screenshot(`search-${where}`.replaceAll(' ', '-'));
      expect(await barriers(browser.page, '', ofVitepress)).toEqual([]);
    });

    const schemes = ['light', 'dark'] as const;
    const pages = ['index', 'docs/promises', 'docs/builders/saltcorn'];
    test.each(schemes.flatMap((scheme) => pages.map((name) => [scheme, name] as const)))(
      'finds no barrier in the %s scheme: %s',
      async (colorScheme, name) => {
        const { page, screenshot } = browser;
        await page.emulateMedia({ colorScheme });
        await page.goto(`${url}/${name}.html`);
        await screenshot(`${name}-${where}-${colorScheme}`.replaceAll(/[ /]/g, '-'));
        expect(await barriers(page, '', ofVitepress)).toEqual([]);
      },
    );
  });

  test('requests nothing from elsewhere, and nothing that is missing', () => {
    expect([faults, foreign]).toEqual([[], []]);
  });
});
