import { parseObject } from '../../response/json.ts';
import { reencodeQuery } from './reencode-query.ts';
import { type RefusalReason, textOf, type WebhookRequest } from './webhook-request.ts';

/** The parameters of a request, by name: mostly one value each. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/** What a request says, and what its signature is over. */
export interface Said {
  parameters: Parameters;
  /** The hash of the body that the query says, where the body is JSON. */
  bodyHash: string | undefined;
}

/** How the address ends that a hash belongs to. */
export const hashEnding = (search: string, hash: string) =>
  `${search ? '&' : '?'}bodySHA256=${hash}`;

const typeOf = ({ headers }: WebhookRequest) =>
  String(headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase();

/** The same value twice is one value, and their order means nothing: the service signs them sorted. */
function gather(pairs: Iterable<readonly [name: string, value: string]>): Parameters {
  const gathered = new Map<string, Set<string>>();
  for (const [name, value] of pairs)
    gathered.set(name, (gathered.get(name) ?? new Set()).add(value));
  return new Map([...gathered].map(([name, values]) => [name, [...values].sort()]));
}

/** The parameters of a form; undefined where one that was read already has more in it than the service's forms. */
function readForm(form: WebhookRequest['body']): Parameters | undefined {
  const text = textOf(form);
  if (text !== undefined) return gather(new URLSearchParams(text));
  const pairs = Object.entries(form ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one: unknown) => [name, one] as const),
  );
  return pairs.every((pair): pair is readonly [string, string] => typeof pair[1] === 'string')
    ? gather(pairs)
    : undefined;
}

/** The members of a JSON object that a parameter can be. The hash is of the text: what was read of it has none. */
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

/** Whether a query is the expected one, however a proxy or a client encoded it. */
const isSameQuery = (query: string, expected: string) =>
  query === expected || (expected !== '' && reencodeQuery(query) === reencodeQuery(expected));

/**
 * Reads the parameters of a request: of a form, or of a JSON object whose hash is in the query.
 *
 * @param request what came
 * @param search the query that the address has by itself
 */
export function readParameters(request: WebhookRequest, search: string): Said | RefusalReason {
  const { url = '', body } = request;
  const query = /\?.+/s.exec(url)?.[0] ?? '';
  const [ending, bodyHash] = /[?&]bodySHA256=([0-9a-f]{64})$/.exec(query) ?? [''];
  if (!isSameQuery(query.slice(0, query.length - ending.length), search)) return 'query';
  if (typeOf(request) !== (bodyHash ? 'application/json' : 'application/x-www-form-urlencoded'))
    return 'form';
  const parameters = bodyHash ? readJson(body) : readForm(body);
  return parameters ? { parameters, bodyHash } : 'form';
}
