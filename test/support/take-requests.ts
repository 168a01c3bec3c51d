import type { Sandbox } from '../../demo/sandbox/index.ts';

/** The requests to the sandbox since the last call, as method and path below the account. */
export function takeRequests({ requests, username }: Sandbox): string[] {
  const taken = requests.map(({ method, path, query }) => {
    const below = path.replace(`/2010-04-01/Accounts/${username}`, '');
    return `${method} ${below}${query ? `?${query}` : ''}`;
  });
  requests.length = 0;
  return taken;
}
