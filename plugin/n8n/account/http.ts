import type { HttpHelpers } from 'n8n-workflow';
import { type Http, isNotSent } from '../../../src/builder.ts';

/** The same options for both helpers, which name them differently. */
const options = {
  ...{ returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true },
  ...{ resolveWithFullResponse: true, simple: false, followRedirect: false },
  ...{ encoding: 'stream', useStream: true },
};

/**
 * Sends with n8n's own helper: it uses n8n's proxy, and n8n's administrator decides which hosts it may reach. n8n sends each request once, but
 * doesn't say whether a connection was open: if it broke early, the outcome of an action is unknown.
 */
export const httpOf =
  ({ request: older, httpRequest: send = older }: HttpHelpers): Http =>
  async ({ signal, ...request }) => {
    try {
      const response = await send({ ...request, ...options, abortSignal: signal });
      return { ...response, status: response.statusCode };
    } catch (error) {
      // n8n can protect internal addresses. Such an error has no code.
      const isBlocked = /^SsrfBlocked/.test(Object(error).name);
      const code = isBlocked ? 'ERR_BLOCKED_BY_N8N' : Object(error).code;
      const notSent = isBlocked || isNotSent(code);
      throw Object.assign(new Error('No response'), { code, notSent });
    }
  };
