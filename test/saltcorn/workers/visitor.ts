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

  async get(worker: number, path: string): Promise<Answer> {
    const { agent } = await this.#connect(worker);
    return this.#request(agent, 'GET', path).finally(() => agent.destroy());
  }

  /** Posts a form, like the pages of Saltcorn. */
  async post(worker: number, path: string, values: Record<string, string>): Promise<Answer> {
    const [answer] = await this.postTogether([worker], path, values);
    return answer as Answer;
  }

  /** Posts the same form through each of these workers, at the same time: once there is a connection to each. */
  async postTogether(
    workers: number[],
    path: string,
    values: Record<string, string>,
  ): Promise<Answer[]> {
    const connections = await Promise.all(workers.map((worker) => this.#connect(worker)));
    const [{ text } = { text: '' }] = connections;
    const [, token = ''] = /_sc_globalCsrf = "([^"]+)"/.exec(text) ?? [];
    const body = new URLSearchParams({ ...values, _csrf: token }).toString();
    const posts = connections.map(({ agent }) => this.#request(agent, 'POST', path, body));
    return Promise.all(posts).finally(() => connections.map(({ agent }) => agent.destroy()));
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
  async #connect(worker: number): Promise<{ agent: Agent; text: string }> {
    for (;;) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const { text, ...answer } = await this.#request(agent, 'GET', '/auth/login');
      if (answer.worker === worker) return { agent, text };
      agent.destroy();
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
