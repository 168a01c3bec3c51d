import { parseObject } from '../../response/json.ts';
import { reencodeQuery } from './reencode-query.ts';
import { pairsOf, type RefusalReason, textOf, type WebhookRequest } from './webhook-request.ts';

/** The parameters of a request by name, most with one value. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** The content of a request that its signature covers. */
export interface RequestContent {
  parameters: Parameters;
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

/** Groups values by name. Removes duplicates and sorts, because the service signs them so. */
function gather(pairs: Iterable<readonly [name: string, value: string]>): Parameters {
  const gathered = new Map<string, Set<string>>();
  for (const [name, value] of pairs)
    gathered.set(name, (gathered.get(name) ?? new Set()).add(value));
  return new Map([...gathered].map(([name, values]) => [name, [...values].sort()]));
}

/** Returns the parameters of a form; undefined if a parsed form has values that aren't text, which the service never sends. */
function readForm(form: WebhookRequest['body']): Parameters | undefined {
  const text = textOf(form);
  if (text !== undefined) return gather(new URLSearchParams(text));
  const pairs = pairsOf(Object(form)).flatMap(([name, value]) =>
    [value].flat().map((one: unknown) => [name, one] as const),
  );
  const isText = (one: unknown) => typeof one === 'string';
  return pairs.every((pair): pair is readonly [string, string] => pair.every(isText))
    ? gather(pairs)
    : undefined;
}

/** Returns the texts and numbers of a JSON object as parameters. Needs the raw body, because the hash is of that. */
function readJson(body: WebhookRequest['body']): Parameters | undefined {
  const object = parseObject(textOf(body) ?? '');
  const isPlain = ([, value]: [string, unknown]) => ['string', 'number'].includes(typeof value);
  return (
    object &&
    gather(
      Object.entries(object)
        .filter(isPlain)
        .map(([name, value]) => [name, String(value)]),
    )
  );
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
  if (!isSameQuery(query.slice(0, query.length - ending.length), search)) return 'query';
  if (typeOf(request) !== (bodyHash ? 'application/json' : 'application/x-www-form-urlencoded'))
    return 'form';
  const parameters = bodyHash ? readJson(body) : readForm(body);
  return parameters ? { parameters, bodyHash } : 'form';
}
