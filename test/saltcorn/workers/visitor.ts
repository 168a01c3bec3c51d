import { Agent, type IncomingMessage, request } from 'node:http';

export interface Answer {
  status: number;
  worker: number;
  text: string;
  headers: IncomingMessage['headers'];
}

const readAll = async (response: IncomingMessage) => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** A visitor whose requests can go to either worker of the server. */
export class Visitor {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  get(worker: number, path: string): Promise<Answer> {
    return this.#through(worker, (agent) => this.#request(agent, 'GET', path));
  }

  /** Posts a form, like the pages of Saltcorn. */
  async post(worker: number, path: string, values: Record<string, string>): Promise<Answer> {
    const { text } = await this.get(worker, '/auth/login');
    const [, token = ''] = /_sc_globalCsrf = "([^"]+)"/.exec(text) ?? [];
    const body = new URLSearchParams({ ...values, _csrf: token }).toString();
    return this.#through(worker, (agent) => this.#request(agent, 'POST', path, body));
  }

  /** The process ids of all workers that serve pages. */
  async workers(count: number): Promise<number[]> {
    const met = new Set<number>();
    while (met.size < count) {
      const agent = new Agent();
      met.add((await this.#request(agent, 'GET', '/auth/login')).worker);
      agent.destroy();
    }
    return [...met];
  }

  // The server assigns each new connection to the next worker, which then handles all its requests.
  async #through(worker: number, act: (agent: Agent) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        if ((await this.#request(agent, 'GET', '/auth/login')).worker === worker)
          return await act(agent);
      } finally {
        agent.destroy();
      }
    }
  }

  async #request(agent: Agent, method: string, path: string, body?: string): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = {
      cookie,
      ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(new URL(path, this.#url), { agent, method, headers }, resolve)
        .once('error', reject)
        .end(body);
    });
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    const { statusCode = 0 } = response;
    const worker = Number(response.headers['x-worker']);
    return { status: statusCode, worker, text: await readAll(response), headers: response.headers };
  }
}
