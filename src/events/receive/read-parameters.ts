import { parseObject } from '../../text/json.ts';
import type { Parameters } from '../deliver/event-files.ts';
import type { RefusalReason } from '../deliver/event-options.ts';
import { namesInQuery, reportQueryIn } from '../deliver/report-query.ts';
import { reencodeQuery } from './public-address.ts';
import { maxParameters, pairsOf, textOf, type WebhookRequest } from './webhook-request.ts';

/** The content of a request that its signature covers. */
export interface RequestContent {
  parameters: Parameters;
  /** What the plugin added to the query where it gave the webhook URL to the service. */
  added: ReturnType<typeof reportQueryIn>;
  /** The hash of a JSON body, from the query. */
  bodyHash: string | undefined;
}

/** Returns the end of a signed URL that contains the hash of the body. */
export const hashEnding = (search: string, hash: string) =>
  `${search ? '&' : '?'}bodySHA256=${hash}`;

const typeOf = ({ headers }: WebhookRequest) =>
  String(headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase();

type Pair = readonly [name: string, value: unknown];

const isText = (pair: Pair): pair is readonly [string, string] =>
  pair.every((one) => typeof one === 'string');

/** Groups values by name. Removes duplicates and sorts, because the service signs them so. */
function gather(pairs: readonly Pair[]): Parameters | RefusalReason {
  if (pairs.length > maxParameters) return 'size';
  // A parsed form can have other values, which the service never sends.
  if (!pairs.every(isText)) return 'form';
  const gathered = new Map<string, Set<string>>();
  for (const [name, value] of pairs)
    gathered.set(name, (gathered.get(name) ?? new Set()).add(value));
  return new Map([...gathered].map(([name, values]) => [name, [...values].sort()]));
}

function readForm(form: WebhookRequest['body']): Parameters | RefusalReason {
  const text = textOf(form);
  if (text === undefined)
    return gather(
      pairsOf(Object(form)).flatMap(([name, value]) =>
        [value].flat().map((one: unknown) => [name, one] as const),
      ),
    );
  const isTooLong = text.split('&', maxParameters + 1).length > maxParameters;
  return isTooLong ? 'size' : gather([...new URLSearchParams(text)]);
}

/** Returns the texts and numbers of a JSON object as parameters. Needs the raw body, because the hash is of that. */
function readJson(body: WebhookRequest['body']): Parameters | RefusalReason {
  const object = parseObject(textOf(body) ?? '');
  if (!object) return 'form';
  const isPlain = ([, value]: Pair) => ['string', 'number'].includes(typeof value);
  return gather(
    Object.entries(object)
      .filter(isPlain)
      .map(([name, value]) => [name, String(value)]),
  );
}

/** Returns the parameters of an event: those of the body and, instead of what the body says of them, those that were added to the query. */
export function eventParameters({ parameters, added }: RequestContent): Parameters {
  const inBody = [...parameters].filter(([name]) => !namesInQuery.has(name));
  const inQuery = added?.parameters.map(([name, value]) => [name, [value]] as const) ?? [];
  return new Map([...inBody, ...inQuery]);
}

/** Whether a query is the expected one in any encoding, because a proxy or a client may have re-encoded it. */
const isSameQuery = (query: string, expected: string) =>
  query === expected || (expected !== '' && reencodeQuery(query) === reencodeQuery(expected));

/**
 * Reads the parameters of a request: of a form, or of a JSON object whose hash is in the query.
 *
 * @param request the request
 * @param search the query of the webhook URL
 */
export function readParameters(
  request: WebhookRequest,
  search: string,
): RequestContent | RefusalReason {
  const { url = '', body } = request;
  const query = /\?.+/s.exec(url)?.[0] ?? '';
  const [ending, bodyHash] = /[?&]bodySHA256=([0-9a-f]{64})$/.exec(query) ?? [''];
  const own = query.slice(0, query.length - ending.length);
  const isOwn = (rest: string) => isSameQuery(rest, search);
  const added = isOwn(own) ? undefined : reportQueryIn(own, isOwn);
  if (!added && !isOwn(own)) return 'query';
  if (typeOf(request) !== (bodyHash ? 'application/json' : 'application/x-www-form-urlencoded'))
    return 'form';
  const parameters = bodyHash ? readJson(body) : readForm(body);
  return typeof parameters === 'string' ? parameters : { parameters, added, bodyHash };
}
