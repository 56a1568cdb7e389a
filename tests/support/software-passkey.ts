import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** An authenticator like a phone's: its own P-256 key, and a counter (WebAuthn, level 3, 6.1 and 6.5). */
export interface SoftwarePasskey {
  readonly id: string;
  /** The result of `navigator.credentials.create`, as JSON. */
  create(challenge: string, format?: 'none' | 'fido-u2f'): object;
  /** The result of `navigator.credentials.get`, as JSON. */
  get(challenge: string, differently?: Differently): object;
}

interface Differently {
  readonly origin?: string;
  readonly rpId?: string;
  /** The person was present but not verified. */
  readonly unverified?: boolean;
  /** Replaces the default, one more than the last time. */
  readonly counter?: number;
}

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** RFC 8949; heads of up to 16 bits are enough here. */
const head = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
};
const cborNumber = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const cborBytes = (bytes: Uint8Array): Buffer => Buffer.concat([head(2, bytes.length), bytes]);
const cborText = (words: string): Buffer => Buffer.concat([head(3, words.length), Buffer.from(words)]);
const cborMap = (...entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()]);

/** X.690, DER. */
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const inside = Buffer.concat(parts);
  const length = inside.length < 128 ? [inside.length] : [0x82, inside.length >> 8, inside.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), inside]);
};

/** RFC 5280: a minimal self-signed certificate. */
function ownCertificate(publicKey: KeyObject, privateKey: KeyObject): Buffer {
  const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const name = der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('x')))));
  const validity = der(0x30, ...['250101000000Z', '490101000000Z'].map((at) => der(0x17, Buffer.from(at))));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const signed = der(0x30, version, der(0x02, Buffer.from([1])), ecdsaWithSha256, name, validity, name, key);
  return der(0x30, signed, ecdsaWithSha256, der(0x03, Buffer.alloc(1), sign('sha256', signed, privateKey)));
}

const present = 0x01;
const verified = 0x04;
const withKey = 0x40;

export function softwarePasskey(site = { origin: 'http://localhost:3000', rpId: 'localhost' }): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(16);
  let counter = 0;
  const clientData = (type: string, challenge: string, origin: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const dataFor = (rpId: string, flags: number, count: number): Buffer => {
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(count);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counted]);
  };
  const credential = { id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {} };
  return {
    id: text(id),
    create: (challenge, format = 'none') => {
      const key = cborMap(
        [cborNumber(1), cborNumber(2)],
        [cborNumber(3), cborNumber(-7)],
        [cborNumber(-1), cborNumber(1)],
        [cborNumber(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborNumber(-3), cborBytes(Buffer.from(y, 'base64url'))],
      );
      const data = dataFor(site.rpId, present | verified | withKey, counter);
      const length = Buffer.from([0, id.length]);
      const authData = Buffer.concat([data, Buffer.alloc(16), length, id, key]);
      const client = clientData('webauthn.create', challenge, site.origin);
      const point = Buffer.concat([Buffer.from([4]), ...[x, y].map((part) => Buffer.from(part, 'base64url'))]);
      const vouched = Buffer.concat([Buffer.alloc(1), sha256(site.rpId), sha256(client), id, point]);
      const statement = [
        [cborText('sig'), cborBytes(sign('sha256', vouched, privateKey))],
        [cborText('x5c'), Buffer.concat([head(4, 1), cborBytes(ownCertificate(publicKey, privateKey))])],
      ] as const;
      const attestation = cborMap(
        [cborText('fmt'), cborText(format)],
        [cborText('attStmt'), format === 'none' ? cborMap() : cborMap(...statement)],
        [cborText('authData'), cborBytes(authData)],
      );
      const clientDataJSON = text(client);
      return {
        ...credential,
        response: { clientDataJSON, attestationObject: text(attestation), transports: ['internal'] },
      };
    },
    get: (challenge, { origin = site.origin, rpId = site.rpId, unverified = false, counter: given } = {}) => {
      counter = given ?? counter + 1;
      const authenticatorData = dataFor(rpId, unverified ? present : present | verified, counter);
      const client = clientData('webauthn.get', challenge, origin);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: text(client),
        authenticatorData: text(authenticatorData),
        signature: text(signature),
      };
      return { ...credential, response };
    },
  };
}
