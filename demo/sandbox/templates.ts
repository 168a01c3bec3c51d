import type { Answer } from './answers.ts';
import { failure, json } from './answers.ts';
import { LARGEST_PAGE_SIZE } from './paging.ts';
import type { Request, State } from './state.ts';

interface Template {
  sid: string;
  name: string;
  language: string;
  type: string;
  body: string;
  variables: Record<string, string>;
}

/** The account's templates, newest first. */
export const TEMPLATES: readonly Template[] = [
  {
    sid: 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0003',
    ...{ name: 'appointment_reminder', language: 'en', type: 'twilio/quick-reply' },
    body: 'Hi {{1}}, see you on {{2}}. Can you come?',
    variables: { 1: 'Ada', 2: 'Monday at 9' },
  },
  {
    sid: 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0002',
    ...{ name: 'order_shipped', language: 'en', type: 'twilio/text' },
    body: 'Hi {{1}}, your order {{2}} is on its way.',
    variables: { 1: 'Ada', 2: '1001' },
  },
  {
    sid: 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0001',
    ...{ name: 'welcome', language: 'de', type: 'twilio/text' },
    body: 'Willkommen! Wie können wir helfen?',
    variables: {},
  },
];

const MADE = '2026-03-02T09:00:00Z';

/**
 * `GET /v1/Content` on the host for content: the account's templates, in pages whose URLs are absolute.
 *
 * @returns 20007 for a page size outside 1 to 1000, 21481 for a page that does not exist
 */
export function listTemplates({ account }: State, { path, query }: Request): Answer {
  const size = Number(query.get('PageSize') ?? 50);
  if (!(size >= 1 && size <= LARGEST_PAGE_SIZE)) return failure(20007, { PageSize: String(size) });
  const page = Number(query.get('Page') ?? 0);
  const [first, last] = [page * size, (page + 1) * size];
  if (page > 0 && first >= TEMPLATES.length) return failure(21481);
  const url = `${account.origin}${path}`;
  const urlOf = (number: number) => `${url}?PageSize=${size}&Page=${number}&PageToken=PT${number}`;
  return json(200, {
    contents: TEMPLATES.slice(first, last).map(
      ({ sid, name, language, type, body, variables }) => ({
        sid,
        account_sid: account.sid,
        friendly_name: name,
        language,
        variables,
        types: { [type]: { body } },
        ...{ date_created: MADE, date_updated: MADE },
        url: `${url}/${sid}`,
        links: { approval_fetch: `${url}/${sid}/ApprovalRequests` },
      }),
    ),
    meta: {
      ...{ page, page_size: size, key: 'contents', url: urlOf(page) },
      first_page_url: urlOf(0),
      previous_page_url: page > 0 ? urlOf(page - 1) : null,
      next_page_url: last < TEMPLATES.length ? urlOf(page + 1) : null,
    },
  });
}

/** The text of a template with its variables, or with its example of one that isn't given; or the error of the template or of a variable. */
export function textOf(sid: string, variables: string): { body: string } | { code: 21655 | 21656 } {
  const template = TEMPLATES.find((one) => one.sid === sid);
  if (!template) return { code: 21655 };
  const given = parsed(variables);
  const values = new Map(Object.entries({ ...template.variables, ...given }));
  const body = template.body.replaceAll(
    /\{\{(\w+)\}\}/g,
    (whole, name) => values.get(name) ?? whole,
  );
  return given ? { body } : { code: 21656 };
}

/** An object of texts that aren't empty. */
function parsed(json: string): Record<string, string> | undefined {
  try {
    const values: unknown = JSON.parse(json || '{}');
    const isValid = Object.values(Object(values)).every(
      (one) => typeof one === 'string' && one !== '',
    );
    return isValid && !Array.isArray(values) ? (values as Record<string, string>) : undefined;
  } catch {
    return undefined;
  }
}
