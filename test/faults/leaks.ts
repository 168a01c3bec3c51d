import { inspect } from 'node:util';
import { account, basic } from './service.ts';

const { password } = account;
const secrets = [password, basic, Buffer.from(password).toString('base64')];

/** All texts that a log, a debugger or a page could show of an error. */
export function shown(error: unknown): string {
  const texts = [String(error), inspect(error, { depth: 10, showHidden: true, getters: true })];
  for (let one = error, depth = 0; one && depth < 10; one = (one as Error).cause, depth += 1) {
    const { message, stack, ...rest } = one as Error;
    texts.push(inspect(one, { depth: 10, showHidden: true }), message, String(stack));
    texts.push(JSON.stringify(one), JSON.stringify(rest));
    const values = Reflect.ownKeys(one).map((key) => Reflect.get(one as object, key));
    texts.push(...values.map((value) => inspect(value, { depth: 10 })));
  }
  return texts.join('\n');
}

/** The secrets that such a text contains. */
export const leaks = (error: unknown) => secrets.filter((secret) => shown(error).includes(secret));
