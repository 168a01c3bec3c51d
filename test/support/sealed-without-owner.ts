import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Seals secrets as version 0.2.0 did, without their owner. */
export function sealedWithoutOwner(values: object, key: string | Uint8Array): string {
  const iv = randomBytes(12);
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'telephony secrets', 32));
  const cipher = createCipheriv('aes-256-gcm', derived, iv);
  const text = Buffer.concat([cipher.update(JSON.stringify(values)), cipher.final()]);
  return `sealed1.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
}
