import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { definitions } from '../../generated/definitions.ts';
import { parseObject } from '../response/json.ts';

const algorithm = 'aes-256-gcm';
const version = 'sealed2.';
/** Version 0.2.0 sealed secrets without their owner. */
const ownerlessVersion = 'sealed1.';
const [ivLength, tagLength] = [12, 16];

type Key = string | Uint8Array;

/** Who secrets belong to: the tenant, and the account if a tenant can have several. */
export type SecretsOwner = readonly string[];

// Derives a key of its own, because the builder uses its key for other purposes too.
const keyFrom = (key: Key) =>
  Buffer.from(hkdfSync('sha256', key, '', `${definitions.manifest.id} secrets`, 32));

const bytesOf = (owner: SecretsOwner) => Buffer.from(JSON.stringify(owner));

/** Whether a stored value was returned by `sealSecrets`, also by that of an earlier version. */
export const isSealed = (value: unknown): value is string =>
  typeof value === 'string' && [version, ownerlessVersion].some((one) => value.startsWith(one));

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

function decrypt(bytes: Buffer, key: Key, bound: Buffer): Record<string, unknown> | undefined {
  const tag = bytes.subarray(ivLength, ivLength + tagLength);
  if (tag.length < tagLength) return undefined;
  try {
    const decipher = createDecipheriv(algorithm, keyFrom(key), bytes.subarray(0, ivLength));
    decipher.setAAD(bound).setAuthTag(tag);
    const text = [decipher.update(bytes.subarray(ivLength + tagLength)), decipher.final()];
    return parseObject(Buffer.concat(text).toString('utf8'));
  } catch {
    return undefined;
  }
}

function open(sealed: string, from: string, key: Key, bound: Buffer) {
  if (!sealed.startsWith(from)) return undefined;
  return decrypt(Buffer.from(sealed.slice(from.length), 'base64url'), key, bound);
}

/**
 * Decrypts a text that `sealSecrets` returned.
 *
 * @returns the values; undefined if the key or the owner is another one, or the text was changed
 */
export const openSecrets = (
  sealed: string,
  key: Key,
  owner: SecretsOwner,
): Record<string, unknown> | undefined => open(sealed, version, key, bytesOf(owner));

/**
 * Seals secrets again that version 0.2.0 sealed without their owner. Builders do it when they start, so that such a text can't be moved
 * later.
 *
 * @returns undefined for any other text
 */
export function sealForOwner(sealed: string, key: Key, owner: SecretsOwner): string | undefined {
  const values = open(sealed, ownerlessVersion, key, Buffer.alloc(0));
  return values && sealSecrets(values, key, owner);
}
