import db, { type PageRequest } from '@saltcorn/data/db';
import { escapeHtml } from '@saltcorn/data/utils';
import { definitions, oncePer, type TelephonyError } from '../../../src/builder.ts';
import { administrator } from '../settings/minimum-role.ts';
import { sayError, translated } from '../translated.ts';

const settingsUrl = `/plugins/configure/${definitions.manifest.id}`;

const shownIn = oncePer((_: PageRequest) => new Set<string>());

// Whether the response is a file or data, even if a browser requests it.
const isExport = ({ originalUrl = '' }: PageRequest) =>
  /^\/(api|table\/download)\//.test(originalUrl);

// A script reloads a list when it is filtered or paged, and accepts any type.
const wantsHtml = ({ xhr, headers }: PageRequest) =>
  xhr ? headers.pjaxpageload === 'true' : headers.accept?.includes('text/html');

/**
 * The request of the page, or part of a page, that Saltcorn is rendering. Undefined for actions, exports, scripts and
 * API clients, which want the error instead.
 */
export function pageRequest(): PageRequest | undefined {
  const request = db.getRequestContext()?.req;
  const isPage = request?.method === 'GET' && 'flash' in request && !isExport(request);
  return isPage && wantsHtml(request) ? request : undefined;
}

/** Whether Saltcorn's builder previews a column: it requests all rows, but needs only one. */
export const isPreview = (): boolean =>
  db.getRequestContext()?.req?.originalUrl?.startsWith('/field/preview/') === true;

function noticeFor({ user }: PageRequest, headline: string, error: TelephonyError) {
  const link = `<a class="text-decoration-underline" href="${settingsUrl}">${escapeHtml(translated('Module settings'))}</a>`;
  const text =
    user?.role_id === administrator
      ? `${escapeHtml(headline)}: ${escapeHtml(sayError(error))} ${link}`
      : `${escapeHtml(headline)}.`;
  // Saltcorn shows all notices of a page in one toast.
  return `<div>${text}</div>`;
}

function showOnce(request: PageRequest, type: string, notice: string) {
  const shown = shownIn(request);
  if (!shown.has(notice)) request.flash(type, notice);
  shown.add(notice);
}

/** Shows a notice that the page is incomplete, if Saltcorn is rendering a page. */
export function showWarning(sentence: string): void {
  const request = pageRequest();
  if (request) showOnce(request, 'warning', `<div>${escapeHtml(sentence)}</div>`);
}

/**
 * Shows a notice why a part of the page is empty. A whole page gets the status 503, unless only its own filter is to blame, such as the
 * phone number of a customer. For a reloaded part, Saltcorn would then show its source. Everyone sees the headline; administrators also see the reason and a link to the settings.
 *
 * @param headline what is missing
 * @param error why
 * @returns whether there is a page for the notice
 */
export function showNotice(headline: string, error: TelephonyError): boolean {
  const request = pageRequest();
  if (!request) return false;
  showOnce(request, 'error', noticeFor(request, headline, error));
  if (!request.xhr && error.code !== 'input') request.res.status(503);
  return true;
}
