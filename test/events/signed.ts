import { type Parameter, signForm, signJson } from '../../demo/sandbox/signature.ts';
import type { WebhookRequest } from '../../src/builder.ts';

/** An account that no service knows. */
export const account = {
  username: 'AC00000000000000000000000000000001',
  password: '5a5a00000000000000000000005a5a5a',
};

/** Where the service reaches the app, as it knows it. */
export const address = 'https://app.example.com/telephony/events';

/** The parameters of a request, by name or as pairs; several values of one name as a list. */
export type Parameters = Record<string, string | string[]>;

export const pairsOf = (parameters: Parameters | Parameter[]): Parameter[] =>
  Array.isArray(parameters)
    ? parameters
    : Object.entries(parameters).flatMap(([name, values]) =>
        [values].flat().map((value) => [name, value] as const),
      );

export const queryOf = (url: string) => /\?.*/s.exec(url)?.[0] ?? '';

const withHeaders = (type: string, signature: string): WebhookRequest['headers'] => ({
  host: '10.0.0.5:3000',
  'content-type': type,
  'x-twilio-signature': signature,
});

/** A request as the service sends it, with a form. The app itself is somewhere behind a proxy. */
export function signedForm(
  parameters: Parameters | Parameter[],
  { token = account.password, url = address } = {},
): WebhookRequest {
  const pairs = pairsOf(parameters);
  return {
    method: 'POST',
    url: `/events${queryOf(url)}`,
    headers: withHeaders(
      'application/x-www-form-urlencoded; charset=UTF-8',
      signForm(token, url, pairs),
    ),
    body: new URLSearchParams(
      pairs.map(([name, value]): [string, string] => [name, value]),
    ).toString(),
  };
}

/** A request as the service sends it, with JSON. */
export function signedJson(
  body: string,
  { token = account.password, url = address } = {},
): WebhookRequest {
  const signed = signJson(token, url, body);
  return {
    method: 'POST',
    url: `/events${queryOf(signed.address)}`,
    headers: withHeaders('application/json', signed.signature),
    body,
  };
}
