import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { otherHost } from './other-host.ts';

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const hex = (digits: string) => Buffer.from(digits, 'hex');
const time = (text: string) => der(0x18, Buffer.from(text));

const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'));
const name = sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from('127.0.0.1')))));

const names = sequence(der(0x87, Buffer.of(127, 0, 0, 1)), der(0x82, Buffer.from(otherHost)));
const alternativeNames = sequence(hex('0603551d11'), der(0x04, names));

/** A new key and a self-signed certificate, so that no key is in the repository. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = sequence(
    der(0xa0, hex('020102')),
    der(0x02, Buffer.concat([hex('01'), randomBytes(7)])),
    ...[ecdsaWithSha256, name],
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternativeNames)),
  );
  const signature = der(0x03, hex('00'), sign('sha256', certificate, privateKey));
  const base64 = sequence(certificate, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
