import { isSealed, openSecrets, sealSecrets } from '../../src/builder.ts';

const secrets = { password: 'päss', baseUrl: 'https://api.example.com' };

test('opens sealed secrets with the same key only', () => {
  const sealed = sealSecrets(secrets, 'a key');
  expect(isSealed(sealed)).toBe(true);
  expect(openSecrets(sealed, 'a key')).toEqual(secrets);
  expect(openSecrets(sealed, Buffer.from('a key'))).toEqual(secrets);
  expect(openSecrets(sealed, 'another')).toBeUndefined();
});

test('seals the same secrets differently each time', () => {
  expect(sealSecrets(secrets, 'a key')).not.toBe(sealSecrets(secrets, 'a key'));
});

test('opens nothing in which any character was changed', () => {
  const sealed = sealSecrets(secrets, 'a key');
  const changed = [...sealed].map((character, index) =>
    [sealed.slice(0, index), character === 'A' ? 'B' : 'A', sealed.slice(index + 1)].join(''),
  );
  // The last character of Base64 has unused bits.
  expect(changed.slice(0, -1).filter((one) => openSecrets(one, 'a key'))).toEqual([]);
  const cut = [...sealed].map((_, index) => sealed.slice(0, index));
  expect(cut.slice(0, -1).filter((one) => openSecrets(one, 'a key'))).toEqual([]);
});

test.each([undefined, null, 1, '', 'secret', { sealed: 'x' }])('%j is not sealed', (value) => {
  expect(isSealed(value)).toBe(false);
});
