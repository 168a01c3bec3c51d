import type { AxiosRequestConfig, AxiosResponse } from 'axios';
import { clientOf } from './client-of.ts';
import type { Place } from './connection.ts';
import { NoAnswer } from './no-answer.ts';

// What else axios may reject with says nothing about whether the request was sent.
function whyNone(error: NoAnswer | { code?: string }): NoAnswer {
  if (error instanceof NoAnswer) return error;
  if (error.code === undefined) throw error;
  return new NoAnswer(error.code, true);
}

/**
 * Sends a request once, over axios, and resolves to whatever the service answers, also a refusal, or to why there is no
 * answer. No error of axios's leaves it.
 *
 * @param place where it goes, and by whom
 * @param config the request, as axios takes it, and what stops it
 */
export async function exchange<Data>(
  place: Place,
  { signal, ...config }: Omit<AxiosRequestConfig, 'signal'> & { signal: AbortSignal | undefined },
): Promise<AxiosResponse<Data> | NoAnswer> {
  const client = await clientOf(place);
  return client.request<Data>({ ...config, ...(signal && { stop: signal }) }).catch(whyNone);
}
