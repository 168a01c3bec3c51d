import { openSecrets, sealSecrets } from '../../src/builder.ts';

const secrets = { password: 'päss', baseUrl: 'https://api.example.com' };
const owner = ['shop', 'telephony'];
const others = [['shop', 'telephony2'], ['main', 'telephony'], ['shop telephony'], ['shop'], []];

test('opens sealed secrets with the same key only', () => {
  const sealed = sealSecrets(secrets, 'a key', owner);
  expect(openSecrets(sealed, 'a key', owner)).toEqual(secrets);
  expect(openSecrets(sealed, Buffer.from('a key'), owner)).toEqual(secrets);
  expect(openSecrets(sealed, 'another', owner)).toBeUndefined();
});

test.each(others)('opens nothing for another account or tenant: %j', (...other) => {
  expect(openSecrets(sealSecrets(secrets, 'a key', owner), 'a key', other)).toBeUndefined();
});

test('seals the same secrets differently each time', () => {
  expect(sealSecrets(secrets, 'a key', owner)).not.toBe(sealSecrets(secrets, 'a key', owner));
});

test('opens nothing in which any character was changed', () => {
  const sealed = sealSecrets(secrets, 'a key', owner);
  const changed = [...sealed].map((character, index) =>
    [sealed.slice(0, index), character === 'A' ? 'B' : 'A', sealed.slice(index + 1)].join(''),
  );
  // The last character of Base64 has unused bits.
  expect(changed.slice(0, -1).filter((one) => openSecrets(one, 'a key', owner))).toEqual([]);
  const cut = [...sealed].map((_, index) => sealed.slice(0, index));
  expect(cut.slice(0, -1).filter((one) => openSecrets(one, 'a key', owner))).toEqual([]);
});

test.each(['', 'secret', 'sealed2.', 'sealed1.c2VjcmV0'])('opens nothing in %j', (text) => {
  expect(openSecrets(text, 'a key', owner)).toBeUndefined();
});
