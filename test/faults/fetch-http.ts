import { type Http, isNotSent } from '../../src/builder.ts';

/** Errors of `fetch` for a response that isn't HTTP. Versions of Node differ in which one they use, and in its code. */
const parserErrors = ['HTTPParserError', 'ResponseContentLengthMismatchError'];

function toFailure(error: unknown) {
  const { name, code: own } = Object(Object(error).cause);
  const code = parserErrors.includes(name) ? 'HPE_INVALID' : own;
  return Object.assign(new Error('fetch failed', { cause: error }), {
    ...{ code, notSent: isNotSent(code) },
  });
}

async function* chunksOf({ body }: Response) {
  try {
    yield* body ?? [];
  } catch (error) {
    throw toFailure(error);
  }
}

/** An HTTP function made of `fetch`. */
export const fetchHttp: Http = async ({ url, body, ...request }) => {
  try {
    const response = await fetch(url, { ...request, body: body ?? null, redirect: 'manual' });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: chunksOf(response),
    };
  } catch (error) {
    throw toFailure(error);
  }
};
