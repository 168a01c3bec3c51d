import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { root } from './root.ts';

/** The pictures that `npm run pictures` takes again. */
const asked = (process.env.PICTURES ?? '').split(',');

/** How long a page can take to show the texts of its picture. */
const timeoutMs = 5_000;

/** A node of a page, as far as `readTexts` uses it. */
interface PageNode {
  nodeType: number;
  data: string;
  type: string;
  value: string;
  placeholder: string;
  selectedOptions: { text: string }[];
  childNodes: Iterable<PageNode>;
  matches(selector: string): boolean;
  checkVisibility(options: object): boolean;
}

/** Runs in the page: the visible texts of an element, also those that someone has typed. */
function readTexts(top: PageNode): string[] {
  const [element, text] = [1, 3];
  const textsIn = (node: PageNode): string[] => {
    if (node.nodeType === text) return [node.data];
    if (node.nodeType !== element || !node.checkVisibility({ visibilityProperty: true })) return [];
    if (node.matches('script, style, noscript')) return [];
    // The menu of Saltcorn's theme, which is wide, narrow or folded as its script has seen the window, and NocoBase's, which grows with
    // each test; and the random key of a workflow's node.
    if (node.matches('.sidebar, .ant-layout-header, .ant-tag > code')) return [];
    if (node.matches('select')) return [node.selectedOptions[0]?.text ?? ''];
    if (!node.matches('textarea, input')) return [...node.childNodes].flatMap(textsIn);
    const isText = !['checkbox', 'radio', 'file', 'password'].includes(node.type);
    return [(isText && node.value) || node.placeholder];
  };
  return textsIn(top);
}

/** Each text that a person reads there, once. Numbers, times and the order of rows don't matter. */
async function textsOf(part: Locator): Promise<string[]> {
  const texts = await part.evaluate(readTexts);
  const plain = texts.map((text) =>
    text
      .replaceAll(/\b[A-Z]{2}[\da-f]{32}\b/g, 'SID')
      .replaceAll(/\d+/g, '#')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
  return [...new Set(plain)].filter(Boolean).sort();
}

/**
 * Fails if a page shows other texts than it did when its picture in `docs/pictures/` was taken. `npm run pictures` takes it instead.
 *
 * @param name the picture's name, without `.png`
 * @param part what it shows of the page; all, if not given
 */
export async function keepPicture(page: Page, name: string, part?: Locator): Promise<void> {
  const file = join(root, 'docs/pictures', name);
  const read = () => textsOf(part ?? page.locator('body'));
  if (asked.includes(name)) {
    const path = `${file}.png`;
    await (part ? part.screenshot({ path }) : page.screenshot({ path, fullPage: true }));
    writeFileSync(`${file}.txt`, `${(await read()).join('\n')}\n`);
    return;
  }
  const taken = readFileSync(`${file}.txt`, 'utf8').split('\n');
  const end = performance.now() + timeoutMs;
  let added: string[];
  let gone: string[];
  do {
    const texts = await read();
    added = texts.filter((text) => !taken.includes(text));
    gone = taken.filter((text) => text && !texts.includes(text));
  } while (added.length + gone.length > 0 && performance.now() < end);
  if (added.length + gone.length > 0)
    throw new Error(
      [
        `This page no longer shows the texts of docs/pictures/${name}.png. Take the picture again: npm run pictures -- ${name}`,
        ...added.map((text) => `+ ${text}`),
        ...gone.map((text) => `- ${text}`),
      ].join('\n'),
    );
}
