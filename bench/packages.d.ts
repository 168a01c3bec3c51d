/** The parts that are used of what the plugin is compared with, which is installed only where it is. */

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
