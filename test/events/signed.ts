import { type Parameter, signForm, signJson } from '../../demo/sandbox/signature.ts';
import { definitions, type WebhookRequest } from '../../src/builder.ts';

export const account = {
  username: 'AC00000000000000000000000000000001',
  password: '5a5a00000000000000000000005a5a5a',
};

/** The public webhook URL of the app. */
export const address = 'https://app.example.com/telephony/events';

/** The parameters of a request, by name or as pairs. A list holds several values of one name. */
export type Parameters = Record<string, string | string[]>;

export const pairsOf = (parameters: Parameters | Parameter[]): Parameter[] =>
  Array.isArray(parameters)
    ? parameters
    : Object.entries(parameters).flatMap(([name, values]) =>
        [values].flat().map((value) => [name, value] as const),
      );

const namesInQuery = new Set<string>(
  definitions.events.flatMap(({ parameters }) =>
    parameters.filter((one) => one.in === 'query').map(({ name }) => name),
  ),
);

/** Returns the webhook URL as the plugin gave it to the service, and the parameters that the service sends there in the body. */
function sentTo(url: string, pairs: Parameter[]) {
  const [path = '', query] = url.split('?', 2);
  const added = pairs.filter(([name]) => namesInQuery.has(name));
  const all = [...(query === undefined ? [] : [query]), ...added.map((pair) => pair.join('='))];
  const body = pairs.filter(([name]) => !namesInQuery.has(name));
  return { url: added.length > 0 ? `${path}?${all.join('&')}` : url, body };
}

export const queryOf = (url: string) => /\?.*/s.exec(url)?.[0] ?? '';

const withHeaders = (type: string, signature: string): WebhookRequest['headers'] => ({
  host: '10.0.0.5:3000',
  'content-type': type,
  'x-twilio-signature': signature,
});

/** A signed form, as an app behind a proxy receives it. */
export function signedForm(
  parameters: Parameters | Parameter[],
  { token = account.password, url: entered = address } = {},
): WebhookRequest {
  const { url, body: pairs } = sentTo(entered, pairsOf(parameters));
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

/** Signed JSON, as an app behind a proxy receives it. */
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
