import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { WebhookRequest } from '../../src/builder.ts';
import { fixtures, parametersOf } from './fixtures.ts';
import { account, signedForm as formTo, signedJson as jsonTo, type Parameters } from './signed.ts';

const signatureIn = ({ headers }: WebhookRequest) => String(headers['x-twilio-signature']);
const withSignature = (request: WebhookRequest, signature: string | string[]): WebhookRequest => ({
  ...request,
  headers: { ...request.headers, 'x-twilio-signature': signature },
});
/** A request whose form differs from the signed one. */
export const withBody = (request: WebhookRequest, parameters: Parameters): WebhookRequest => ({
  ...request,
  body: String(formTo(parameters).body),
});
export const without = (parameters: Parameters, name: string): Parameters =>
  Object.fromEntries(Object.entries(parameters).filter(([one]) => one !== name));

const word = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'AccountSid', 'Body', 'body'],
    ...['MessageSid[]', 'MessageSid[0]', 'MessageSid[$ne]', 'Body\u200b', '\ufeffBody', 'Ｂody'],
    ...['\ud800', '\0', '\r\n', '%00', '../', '<Response/>', "' or 1=1 --"],
  ),
);

/** A key that is not the account's. */
const otherToken = fc.oneof(
  word,
  fc.constantFrom('', account.username, account.password.toUpperCase(), ` ${account.password}`),
  fc.constantFrom(account.password.slice(1), `${account.password}0`, 'undefined', 'null'),
);

/** The URL of another app. */
const otherAddressThan = (address: string) =>
  fc.constantFrom(
    ...[
      `${address}/`,
      `${address}//`,
      `${address}?`,
      `${address}?x=1`,
      `${address}#`,
      `${address}%20`,
    ],
    ...[
      `${address}?bodySHA256=`,
      `${address}/.`,
      `${address}/../events`,
      address.replace('/e', '//e'),
    ],
    ...[address.replace('https', 'http'), address.replace('https', 'HTTPS')],
    ...[
      address.replace('example.', 'other.'),
      address.replace('example.', 'example2.'),
      address.replace('.com', '.com.'),
    ],
    ...[address.replace('.com', '.com:80'), address.replace('.com', '.com:8443')],
    ...[address.replace('://', '://me@'), address.replace('.', '%2e')],
    ...[address.replace('events', 'Events'), address.replace('example', 'exаmple')],
    ...['', 'https://app.example.com', 'https://10.0.0.5:3000/events', 'http://localhost/events'],
  );

/** Whether a form differs from the signed one. What is in the query does not. */
const isOther =
  (genuine: WebhookRequest) =>
  ({ body }: WebhookRequest): boolean =>
    body !== genuine.body;

type Forge = (genuine: Parameters) => fc.Arbitrary<WebhookRequest>;

/** Ways to forge a request. The signature of none fits its content. */
function forgesFor(address: string): Record<string, Forge> {
  const otherAddress = otherAddressThan(address);
  const signedForm: typeof formTo = (parameters, options) =>
    formTo(parameters, { url: address, ...options });
  const signedJson: typeof jsonTo = (body, options) => jsonTo(body, { url: address, ...options });
  return {
    'another token': (genuine) => otherToken.map((token) => signedForm(genuine, { token })),
    'another token for JSON': (genuine) =>
      otherToken.map((token) => signedJson(JSON.stringify(genuine), { token })),
    'another address': (genuine) =>
      otherAddress.map((url) => ({ ...signedForm(genuine, { url }), url: '/events' })),
    'another address, called as it is': (genuine) =>
      otherAddress.map((url) => signedForm(genuine, { url })),
    'another signature': (genuine) => {
      const request = signedForm(genuine);
      const right = signatureIn(request);
      const hex = Buffer.from(right, 'base64').toString('hex');
      const sha256 = createHmac('sha256', account.password).update(address).digest('base64');
      const wrong = [
        ...['', ' ', 'undefined', 'null', '=', right.slice(0, -1), right.slice(1), `${right}=`],
        ...[
          `${right} `,
          ` ${right}`,
          `${right}\0`,
          `${right}, ${right}`,
          `"${right}"`,
          hex,
          sha256,
        ],
        ...[right.toLowerCase(), right.toUpperCase(), Buffer.from(right).toString('base64')],
        ...[right.replace('=', ''), `sha1=${right}`, '*'.repeat(28), 'A'.repeat(27).concat('=')],
      ];
      return fc
        .oneof(fc.constantFrom(...wrong.filter((one) => one !== right)), word, fc.base64String())
        .filter((one) => one !== right)
        .map((signature) => withSignature(request, signature));
    },
    'one character of the signature changed': (genuine) => {
      const request = signedForm(genuine);
      const right = signatureIn(request);
      return fc
        .tuple(fc.nat({ max: 26 }), fc.constantFrom(...'ABCDEFGHijklmnop0123456789+/'))
        .map(([at, one]) => right.slice(0, at) + one + right.slice(at + 1))
        .filter((signature) => signature !== right)
        .map((signature) => withSignature(request, signature));
    },
    'several signatures': (genuine) =>
      fc.constantFrom(1, 2, 3).map((count) => {
        const request = signedForm(genuine);
        return withSignature(request, Array<string>(count).fill(signatureIn(request)));
      }),
    'no signature': (genuine) =>
      fc.constantFrom('X-Twilio-Signatur', 'x-signature', 'signature').map((name) => {
        const { 'x-twilio-signature': signature, ...headers } = signedForm(genuine).headers;
        return { ...signedForm(genuine), headers: { ...headers, [name]: signature } };
      }),
    'a value changed': (genuine) =>
      fc
        .tuple(fc.constantFrom(...Object.keys(genuine)), word)
        .filter(([name, value]) => genuine[name] !== value.toWellFormed())
        .map(([name, value]) => withBody(signedForm(genuine), { ...genuine, [name]: value }))
        .filter(isOther(signedForm(genuine))),
    'a value in another form of Unicode': (genuine) =>
      fc.constantFrom('Å', 'Å', 'ﬁ', '①').map((text) => {
        const signed = signedForm({ ...genuine, FromCity: text });
        return withBody(signed, { ...genuine, FromCity: text.normalize('NFKD') });
      }),
    'a parameter added': (genuine) =>
      fc
        .tuple(word, word)
        .filter(([name]) => !Object.hasOwn(genuine, name))
        .map(([name, value]) => ({
          ...signedForm(genuine),
          body: `${signedForm(genuine).body}&${new URLSearchParams([[name, value]])}`,
        })),
    'a second value added': (genuine) =>
      fc
        .tuple(fc.constantFrom(...Object.keys(genuine)), word, fc.boolean())
        .filter(([name, value]) => genuine[name] !== value.toWellFormed())
        .map(([name, value, before]) => {
          const added = String(new URLSearchParams([[name, value]]));
          const { body } = signedForm(genuine);
          return {
            ...signedForm(genuine),
            body: before ? `${added}&${body}` : `${body}&${added}`,
          };
        }),
    'a parameter left out': (genuine) =>
      fc
        .constantFrom(...Object.keys(genuine))
        .map((name) => withBody(signedForm(genuine), without(genuine, name)))
        .filter(isOther(signedForm(genuine))),
    'a parameter renamed': (genuine) =>
      fc.constantFrom(...Object.keys(genuine)).map((name) =>
        withBody(signedForm(genuine), {
          ...without(genuine, name),
          [name.toLowerCase()]: genuine[name] ?? '',
        }),
      ),
    'signed by us with two values of what is read': (genuine) =>
      word
        .filter((value) => genuine.AccountSid !== value.toWellFormed())
        .map((value) => signedForm({ ...genuine, AccountSid: [account.username, value] })),
    'of another account': (genuine) =>
      fc
        .oneof(word, fc.constantFrom('', account.username.toLowerCase(), `${account.username} `))
        .map((AccountSid) => signedForm({ ...genuine, AccountSid })),
    'of no account': (genuine) => fc.constant(signedForm(without(genuine, 'AccountSid'))),
    'another query': (genuine) =>
      fc
        .constantFrom('?x=1', '?bodySHA256=', `?bodySHA256=${'0'.repeat(64)}`, '?a&b', '??')
        .map((query) => ({ ...signedForm(genuine), url: `/events${query}` })),
    'another method': (genuine) =>
      fc
        .constantFrom('GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'post', '', undefined)
        .map((method) => ({ ...signedForm(genuine), method })),
    'another type of body': (genuine) =>
      fc
        .constantFrom('', 'text/plain', 'multipart/form-data; boundary=x', 'application/json', 'x')
        .map((type) => ({
          ...signedForm(genuine),
          headers: { ...signedForm(genuine).headers, 'content-type': type },
        })),
    'another body of JSON': (genuine) =>
      word.map((Body) => ({
        ...signedJson(JSON.stringify(genuine)),
        body: JSON.stringify({ ...genuine, Body: `${Body}!` }),
      })),
    'JSON as a form': (genuine) =>
      fc.boolean().map((keepsQuery) => {
        const { url, headers } = signedJson(JSON.stringify(genuine));
        const form = signedForm(genuine);
        return {
          ...form,
          url: keepsQuery ? url : '/events',
          headers: { ...form.headers, 'x-twilio-signature': headers['x-twilio-signature'] },
        };
      }),
    'JSON that was read already': (genuine) =>
      fc.constant({ ...signedJson(JSON.stringify(genuine)), body: genuine }),
    'what is no form': (genuine) =>
      fc
        .oneof(
          fc.constantFrom<object>(
            { Body: { $ne: '' } },
            { Body: [[]] },
            { Body: null },
            { Body: 1 },
          ),
          // Values that only look like the signed one.
          fc
            .constantFrom(...Object.keys(genuine))
            .map((name) => ({ [name]: Object(genuine[name]) })),
          fc.constantFrom(...Object.keys(genuine)).map((name) => ({ [name]: [[genuine[name]]] })),
        )
        .map((body) => ({ ...signedForm(genuine), body: { ...genuine, ...body } })),
    'what a builder could make of a body': (genuine) =>
      fc
        .oneof(
          fc.object({ key: word }),
          fc.constantFrom<object>(
            ...[
              { toString: 'x' },
              { a: { toString: 'x', valueOf: 'y' } },
              { a: Object.create(null) },
            ],
            ...[new Map([['Body', 'x']]), [['Body', 'x']], Object.create(null)],
          ),
        )
        .map((body) => ({ ...signedForm(genuine), body })),
    'too much': (genuine) =>
      fc.constantFrom(100_001, 1_000_000).map((size) => {
        const signed = signedForm({ ...genuine, AddOns: 'x'.repeat(size) });
        return signed;
      }),
    'too much by what it says': (genuine) =>
      fc.constantFrom('100001', '1e9', 'Infinity').map((length) => ({
        ...signedForm(genuine),
        headers: { ...signedForm(genuine).headers, 'content-length': length },
      })),
  };
}

/** A forged request. */
export interface Forged {
  id: string;
  way: string;
  request: WebhookRequest;
}

/** Requests to an address, forged in many ways. */
export function forgedRequests(address: string): { ways: string[]; forged: fc.Arbitrary<Forged> } {
  const forges = Object.entries(forgesFor(address));
  const forged = fc
    .tuple(fc.constantFrom(...fixtures.map(([id]) => id)), fc.constantFrom(...forges))
    .chain(([id, [way, forge]]) =>
      forge(parametersOf(id)).map((request) => ({ ...{ id, way, request } })),
    );
  return { ways: forges.map(([way]) => way), forged };
}
