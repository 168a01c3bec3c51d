import { withoutSecrets } from '../../src/answer/without-secrets.ts';
import { checkSettings } from '../../src/settings/check-settings.ts';
import { account, basic } from './service.ts';

const password = "a ~'secret'/+";
const settings = checkSettings({ ...account, password });
const inBase64 = Buffer.from(password).toString('base64');

const texts: [text: unknown, left: string | undefined][] = [
  [`It is ${password}, and ${password} again.`, 'It is ***, and *** again.'],
  ["It is a%20~'secret'%2F%2B.", 'It is ***.'],
  ['It is a+%7E%27secret%27%2F%2B.', 'It is ***.'],
  [`It is ${inBase64}.`, 'It is ***.'],
  [`It is ${encodeURIComponent(inBase64)}.`, 'It is ***.'],
  [`${account.username} is no secret.`, `${account.username} is no secret.`],
  [basic, basic],
  [17, undefined],
  [undefined, undefined],
];

test.each(texts)('%j is shown as %j', (text, left) => {
  expect(withoutSecrets(settings, text)).toBe(left);
});
