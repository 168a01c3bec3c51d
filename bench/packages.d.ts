/** The used types of packages that only the benchmark installs. */

declare module 'twilio' {
  interface Client {
    api: { baseUrl: string };
    calls(sid: string): { fetch(): Promise<unknown> };
    messages: { create(message: { from: string; to: string; body: string }): Promise<unknown> };
  }
  export default function twilio(
    username: string,
    password: string,
    options?: { autoRetry: boolean },
  ): Client;
}

declare module 'undici' {
  export * from 'undici-types';
}
