declare module 'proxy-from-env' {
  /** Returns the proxy that the environment sets for a URL; empty if it sets none. */
  export function getProxyForUrl(url: string): string;
}
