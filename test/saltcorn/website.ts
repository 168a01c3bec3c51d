import { closeAfterwards } from '../support/close-afterwards.ts';
import { serveHttp } from '../support/serve-http.ts';
import { type Loose, model, saltcorn } from './host.ts';

/** A visitor, who presses buttons like the scripts of Saltcorn's pages. */
export class Visitor {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();
  #csrf = '';
  #pageLoads = 0;

  constructor(url: string) {
    this.#url = url;
  }

  async #request(path: string, options: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, ...(options.headers as Record<string, string>) };
    const response = await fetch(this.#url + path, { ...options, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }

  /** The HTML of a page. */
  async get(path: string, headers: Record<string, string> = {}): Promise<string> {
    const text = await (await this.#request(path, { headers })).text();
    this.#pageLoads += 1;
    const [, token] = /_sc_globalCsrf = "([^"]+)"/.exec(text) ?? [];
    this.#csrf = token ?? this.#csrf;
    return text;
  }

  /** Posts JSON like the scripts of a page. Some browsers send no Referer. */
  async post(path: string, body: object, headers: Record<string, string> = {}): Promise<Loose> {
    const response = await this.#request(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'csrf-token': this.#csrf,
        'page-load-tag': `page ${this.#pageLoads}`,
        'x-requested-with': 'XMLHttpRequest',
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return text.startsWith('{') ? JSON.parse(text) : text;
  }

  async logIn(email: string, password: string): Promise<this> {
    await this.get('/auth/login');
    await this.post('/auth/login', { email, password });
    await this.get('/');
    return this;
  }
}

export interface Website {
  url: string;
  /** A visitor who is not logged in. */
  guest(): Promise<Visitor>;
  /** A logged-in user, an administrator by default. */
  user(role?: number): Promise<Visitor>;
}

/** Makes Saltcorn hash passwords in few rounds. A usual hash, and each login, takes a tenth of a second. */
function hashQuickly() {
  const User = model('user');
  const { hashPassword } = User;
  User.hashPassword = (password: string) => require('bcryptjs').hash(password, 4);
  closeAfterwards({ close: () => Object.assign(User, { hashPassword }) });
}

/** Saltcorn's server, with sessions in memory: a slow disk could still be writing their file when the tests end and remove it. */
async function openApp() {
  const sqlite = require('sqlite3');
  const { Database } = sqlite;
  sqlite.Database = function openInMemory() {
    return new Database(':memory:');
  };
  try {
    return await saltcorn('server/app')({});
  } finally {
    sqlite.Database = Database;
  }
}

/** Serves Saltcorn's own pages from this process, after `startSaltcorn`. The server is closed after its tests. */
export async function startWebsite(): Promise<Website> {
  hashQuickly();
  const { url } = await serveHttp(await openApp());
  let users = 0;
  return {
    url,
    guest: async () => {
      const visitor = new Visitor(url);
      await visitor.get('/auth/login');
      return visitor;
    },
    user: async (role_id = 1) => {
      users += 1;
      const account = { email: `user${users}@example.com`, password: 'Not-a-real-1-password' };
      const made = await model('user').create({ ...account, role_id });
      if (made.error) throw new Error(made.error);
      return new Visitor(url).logIn(account.email, account.password);
    },
  };
}
