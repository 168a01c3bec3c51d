import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { definitions } from '../../generated/definitions.ts';
import { parseObject } from '../text/json.ts';

const algorithm = 'aes-256-gcm';
const version = 'sealed2.';
const [ivLength, tagLength] = [12, 16];

type Key = string | Uint8Array;

/** Who secrets belong to: the tenant, and the account if a tenant can have several. */
export type SecretsOwner = readonly string[];

// Derives a key of its own, because the builder uses its key for other purposes too.
const keyFrom = (key: Key) =>
  Buffer.from(hkdfSync('sha256', key, '', `${definitions.manifest.id} secrets`, 32));

const bytesOf = (owner: SecretsOwner) => Buffer.from(JSON.stringify(owner));

/**
 * Encrypts secrets for their owner, together with what else they belong to, such as the `baseUrl` that they were entered with. Someone who
 * can write to the builder's database can neither read them nor use them for another host, account or tenant.
 *
 * @param values the secrets and what they belong to
 * @param key a key of the builder that isn't stored next to them
 * @returns a text for a column or a file
 */
export function sealSecrets(values: object, key: Key, owner: SecretsOwner): string {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, keyFrom(key), iv).setAAD(bytesOf(owner));
  const text = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
  return version + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/**
 * Decrypts a text that `sealSecrets` returned.
 *
 * @returns the values; undefined if the key or the owner is another one, or the text is another
 */
export function openSecrets(
  sealed: string,
  key: Key,
  owner: SecretsOwner,
): Record<string, unknown> | undefined {
  if (!sealed.startsWith(version)) return undefined;
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
  const tag = bytes.subarray(ivLength, ivLength + tagLength);
  if (tag.length < tagLength) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, keyFrom(key), bytes.subarray(0, ivLength));
    decipher.setAAD(bytesOf(owner)).setAuthTag(tag);
    const text = [decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()];
    return parseObject(Buffer.concat(text).toString('utf8'));
  } catch {
    return undefined;
  }
}
