import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { definitions } from '../../generated/definitions.ts';
import { parseObject } from '../response/json.ts';

const algorithm = 'aes-256-gcm';
const version = 'sealed1.';
const [ivLength, tagLength] = [12, 16];

// Derives a key of its own, because the builder uses its key for other purposes too.
const keyFrom = (key: string | Uint8Array) =>
  Buffer.from(hkdfSync('sha256', key, '', `${definitions.manifest.id} secrets`, 32));

/** Whether a stored value was returned by `sealSecrets`. */
export const isSealed = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(version);

/**
 * Encrypts secrets together with what they belong to, such as the `baseUrl` that they were entered with. Someone who can write to the
 * builder's database can neither read them nor use them for another host.
 *
 * @param values the secrets and what they belong to
 * @param key a key of the builder that isn't stored next to them
 * @returns a text for a column or a file
 */
export function sealSecrets(values: object, key: string | Uint8Array): string {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, keyFrom(key), iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
  return version + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/**
 * Decrypts a text that `sealSecrets` returned.
 *
 * @returns the values; undefined if the key is another one or the text was changed
 */
export function openSecrets(
  sealed: string,
  key: string | Uint8Array,
): Record<string, unknown> | undefined {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
  const tag = bytes.subarray(ivLength, ivLength + tagLength);
  if (!isSealed(sealed) || tag.length < tagLength) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, keyFrom(key), bytes.subarray(0, ivLength));
    decipher.setAuthTag(tag);
    const text = [decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()];
    return parseObject(Buffer.concat(text).toString('utf8'));
  } catch {
    return undefined;
  }
}
