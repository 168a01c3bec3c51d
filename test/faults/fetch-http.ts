import { type Http, isNotSent } from '../../src/builder.ts';

/** An HTTP function made of `fetch`. */
export const fetchHttp: Http = async ({ url, body, ...request }) => {
  try {
    const response = await fetch(url, { ...request, body: body ?? null, redirect: 'manual' });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: response.body,
    };
  } catch (error) {
    const { code } = Object(Object(error).cause);
    throw Object.assign(new Error('fetch failed', { cause: error }), {
      ...{ code, notSent: isNotSent(code) },
    });
  }
};
