import db, { type PageRequest } from '@saltcorn/data/db';
import { escapeHtml } from '@saltcorn/data/utils';
import { definitions, type TelephonyError } from '../../../src/builder.ts';
import { administrator } from '../settings/minimum-role.ts';

const settingsUrl = `/plugins/configure/${definitions.manifest.id}`;

const shown = new WeakMap<PageRequest, Set<string>>();

// What answers with a file or with data, also where a browser asks for it.
const isExport = ({ originalUrl = '' }: PageRequest) =>
  /^\/(api|table\/download)\//.test(originalUrl);

// A list that is filtered or paged is loaded again by a script, which takes any type.
const wantsHtml = ({ xhr, headers }: PageRequest) =>
  xhr ? headers.pjaxpageload === 'true' : headers.accept?.includes('text/html');

/**
 * The request of a page that is being made, or of a part of it that is loaded again; undefined for actions, exports, scripts
 * and other programs, which want the error.
 */
export function pageRequest(): PageRequest | undefined {
  const request = db.getRequestContext()?.req;
  const isPage = request?.method === 'GET' && 'flash' in request && !isExport(request);
  return isPage && wantsHtml(request) ? request : undefined;
}

/** Whether Saltcorn's builder previews a column, which needs one row, although it asks for all. */
export const isPreview = (): boolean =>
  db.getRequestContext()?.req?.originalUrl?.startsWith('/field/preview/') === true;

function noticeFor({ user }: PageRequest, headline: string, { message }: TelephonyError) {
  const link = `<a class="text-decoration-underline" href="${settingsUrl}">Module settings</a>`;
  const text =
    user?.role_id === administrator
      ? `${escapeHtml(headline)}: ${escapeHtml(message)} ${link}`
      : `${escapeHtml(headline)}.`;
  // Saltcorn shows all that is said on a page in one toast.
  return `<div>${text}</div>`;
}

function sayOnce(request: PageRequest, type: string, notice: string) {
  const before = shown.get(request) ?? new Set();
  if (!before.has(notice)) request.flash(type, notice);
  shown.set(request, before.add(notice));
}

/** Says on the page that is being made, if there is one, that it shows a part only. */
export function showPart(sentence: string): void {
  const request = pageRequest();
  if (request) sayOnce(request, 'warning', `<div>${escapeHtml(sentence)}</div>`);
}

/**
 * Says on the page that is being made why a part of it is empty. A whole page is shown with the status of a service that
 * is not available; of a part, Saltcorn would then show the source. Everyone reads the headline, administrators also the reason and where to change it.
 *
 * @param headline what cannot be shown
 * @param error why
 * @returns whether there is a page to say it on
 */
export function showNotice(headline: string, error: TelephonyError): boolean {
  const request = pageRequest();
  if (!request) return false;
  sayOnce(request, 'error', noticeFor(request, headline, error));
  if (!request.xhr) request.res.status(503);
  return true;
}
