import { oncePer } from '../async/once.ts';
import type { CheckedSettings } from '../settings/check-settings.ts';
import type { Json } from '../text/json.ts';
import { type Credentials, withoutSecrets } from './without-secrets.ts';

function maskedValue(credentials: Credentials, value: unknown): unknown {
  if (typeof value === 'object') return value;
  const text = String(value);
  const safe = withoutSecrets(credentials, text);
  return safe === text ? value : safe;
}

/** Masks the credentials in the JSON of a service, in place. Avoids recursion, because the JSON can be nested very deeply. */
function masked(credentials: Credentials, json: Json): Json {
  const open: object[] = [json];
  for (const one of open)
    for (const [key, value] of Object.entries(one)) {
      const name = withoutSecrets(credentials, key) ?? key;
      if (name !== key) Reflect.deleteProperty(one, key);
      Reflect.set(one, name, maskedValue(credentials, value));
      if (typeof value === 'object' && value !== null) open.push(value);
    }
  return json;
}

/**
 * Returns a function that adds the JSON of a record to it as `raw`. The property isn't enumerable, so copies, JSON and comparisons ignore
 * it. The credentials are masked when it is first read, because most programs never read it.
 */
export const keepRaw = oncePer((settings: CheckedSettings) => {
  const received = new WeakMap<object, Json>();
  const open = oncePer((record: object) => {
    const json = received.get(record);
    return { raw: json && masked(settings, json) };
  });
  // All records share one accessor, so that the engine gives them one hidden class and keeps them fast.
  const raw: PropertyDescriptor = {
    get(this: object) {
      return open(this).raw;
    },
  };
  return <Of extends object>(record: Of, json: Json): Of => {
    received.set(record, json);
    return Object.defineProperty(record, 'raw', raw);
  };
});
