import { definitions } from '../../../generated/definitions.ts';
import { parseObject } from '../../text/json.ts';
import type { Parameters } from '../deliver/event-files.ts';
import type { RefusalReason } from '../deliver/event-options.ts';
import { reencodeQuery } from './public-address.ts';
import { maxParameters, pairsOf, textOf, type WebhookRequest } from './webhook-request.ts';

/** The content of a request that its signature covers. */
export interface RequestContent {
  parameters: Parameters;
  /** What the plugin added to the query where it gave the webhook URL to the service, such as `?Question=2`. */
  added: string;
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

const namesInQuery: ReadonlySet<string> = new Set(
  definitions.events.flatMap(({ parameters }) =>
    parameters.filter((one) => one.in === 'query').map(({ name }) => name),
  ),
);

// Digits, because nothing in the signed text separates the URL from the names, which start with letters.
const addition = new RegExp(`[?&](${[...namesInQuery].join('|')})=([1-9]\\d?)$`);

/** Returns the parameters of an event: those of the body and, instead of what the body says of it, the one that was added to the query. */
export function eventParameters({ parameters, added }: RequestContent): Parameters {
  const inBody = [...parameters].filter(([name]) => !namesInQuery.has(name));
  const [, name, value] = addition.exec(added) ?? [];
  return new Map([...inBody, ...(name && value ? [[name, [value]] as const] : [])]);
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
  const [added = ''] = isSameQuery(own, search) ? [] : (addition.exec(own) ?? []);
  if (!isSameQuery(own.slice(0, own.length - added.length), search)) return 'query';
  if (typeOf(request) !== (bodyHash ? 'application/json' : 'application/x-www-form-urlencoded'))
    return 'form';
  const parameters = bodyHash ? readJson(body) : readForm(body);
  return typeof parameters === 'string' ? parameters : { parameters, added, bodyHash };
}
