import type { Loose } from '../host.ts';
import type { Visitor } from '../website.ts';

/** A view in a page with its URL, as a browser reports it. */
export interface ShownView {
  view: string;
  url: string;
  isVisible: boolean;
  isEmpty?: boolean;
}

/** The views in a page, like a browser finds them. */
export const viewsIn = (html: string): ShownView[] =>
  [...html.matchAll(/<div[^>]* data-sc-embed-viewname="([^"]*)"[^>]*>/g)].map(
    ({ 0: tag, 1: view = '', index }) => {
      const [, url = ''] =
        /data-sc-local-state="([^"]*)"/.exec(tag) ??
        /data-sc-view-source="([^"]*)"/.exec(tag) ??
        [];
      const [list = ''] = /<div data-sc-state-hash[^>]*>/.exec(html.slice(index)) ?? [];
      return { view, url, isVisible: true, isEmpty: list.includes('data-sc-total-rows="0"') };
    },
  );

/**
 * Presses the button of a batch, and reports the views of the page when the server requests them.
 *
 * @returns the last response: the URL of the preview, or why there is none
 */
export async function press(
  visitor: Visitor,
  path: string,
  shown: object = { url: '/', views: [] },
  body: object = {},
): Promise<Loose> {
  const { eval_js, ...answer } = await visitor.post(path, body);
  if (!eval_js) return answer;
  const [, run] = /'(\/telephony\/run\/[\w-]+)\/rows'/.exec(eval_js) ?? [];
  return visitor.post(`${run}/rows`, shown);
}
