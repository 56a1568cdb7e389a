import { isIP } from 'node:net';

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';

import type { User } from '../account-store.ts';
import { challengeOpenMs, type Factor, type NewPasskey } from './factor-store.ts';

export interface Site {
  readonly publicUrl: string;
  /** What authenticators call this product. */
  readonly productName: string;
}

/** Its 250 modules are an eighth of all that a start would load, and most processes never see a passkey. */
const webAuthn = () => import('@simplewebauthn/server');

/** The JSON forms of WebAuthn (level 3, 5.1): the library checks their content. */
export const passkeyResponse = z.record(z.string(), z.unknown());
export type PasskeyResponse = z.infer<typeof passkeyResponse>;

/** EdDSA, ES256 and RS256 (COSE numbers): every authenticator supports one of them. */
const supportedAlgorithmIDs = [-8, -7, -257];

export type Passkeys = ReturnType<typeof createPasskeys>;

/** WebAuthn for this site. RP id and origin follow from PUBLIC_URL; user verification (PIN, finger, face) is required. */
export function createPasskeys({ publicUrl, productName }: Site) {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true } as const;
  return {
    /** Browsers allow passkeys for host names, not for IP addresses, and only on https or localhost. */
    areOffered: isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || hostname === 'localhost'),
    /** Whether the browser answers this challenge and not an earlier one, whatever the signature is worth. */
    isAnswerTo: (given: PasskeyResponse, challenge: string): boolean => answeredChallenge(given) === challenge,
    /** The options from which a browser makes a new passkey; it must sign their `challenge`. */
    toAdd: async (user: User, factors: readonly Factor[]) =>
      (await webAuthn()).generateRegistrationOptions({
        rpName: productName,
        rpID: hostname,
        userName: user.username,
        userDisplayName: user.username,
        // The same for all passkeys of an account, and nothing personal.
        userID: new TextEncoder().encode(`account ${user.id}`),
        timeout: challengeOpenMs,
        attestationType: 'none',
        excludeCredentials: credentialsOf(factors).map(({ id, transports }) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
        supportedAlgorithmIDs,
      }),
    /** null: not a new passkey for this challenge. */
    readNew: async (given: PasskeyResponse, expectedChallenge: string): Promise<NewPasskey | null> => {
      const response = given as unknown as RegistrationResponseJSON;
      if (!(await hasAcceptedFormat(given))) return null;
      const options = { response, expectedChallenge, supportedAlgorithmIDs, ...expected };
      const { verifyRegistrationResponse } = await webAuthn();
      const result = await verifyRegistrationResponse(options).catch(() => null);
      if (result?.registrationInfo === undefined) return null;
      const { id, publicKey, counter, transports } = result.registrationInfo.credential;
      return { credentialId: id, publicKey, counter: String(counter), transports: transportNames.parse(transports) };
    },
    /** The options with which a browser asks for one of the account's passkeys. */
    toSign: async (factors: readonly Factor[]) =>
      (await webAuthn()).generateAuthenticationOptions({
        rpID: hostname,
        allowCredentials: credentialsOf(factors).map(({ id, transports }) => ({ id, transports })),
        userVerification: 'required',
        timeout: challengeOpenMs,
      }),
    /** null: not signed by one of these passkeys for this challenge and site, or the counter shows that the passkey was copied. */
    check: async (given: PasskeyResponse, factors: readonly Factor[], expectedChallenge: string) => {
      const response = given as unknown as AuthenticationResponseJSON;
      const credential = credentialsOf(factors).find(({ id }) => id === response.id);
      if (credential === undefined) return null;
      const options = { response, expectedChallenge, credential, ...expected };
      const { verifyAuthenticationResponse } = await webAuthn();
      const result = await verifyAuthenticationResponse(options).catch(() => null);
      if (result === null || !result.verified) return null;
      return { factorId: credential.factorId, counter: result.authenticationInfo.newCounter };
    },
  };
}

const signing = z.object({ clientDataJSON: z.string() });
const signed = z.object({ challenge: z.string() });

/** null: the answer does not say. */
function answeredChallenge({ response }: PasskeyResponse): string | null {
  try {
    const json = Buffer.from(signing.parse(response).clientDataJSON, 'base64url').toString();
    return signed.parse(JSON.parse(json)).challenge;
  } catch {
    return null;
  }
}

const attested = z.object({ attestationObject: z.string() });

/**
 * The formats that browsers send when no attestation is asked for. For others the library would fetch certificate revocation lists from
 * addresses that the sender chose.
 */
async function hasAcceptedFormat({ response }: PasskeyResponse): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  try {
    const { attestationObject } = attested.parse(response);
    return ['none', 'packed'].includes(decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get('fmt'));
  } catch {
    return false;
  }
}

const credentialsOf = (factors: readonly Factor[]) =>
  factors.flatMap(({ id: factorId, credentialId, publicKey, counter, transports }) =>
    credentialId === null || publicKey === null
      ? []
      : [
          {
            factorId,
            id: credentialId,
            publicKey: Uint8Array.from(publicKey),
            counter: Number(counter),
            transports: [...(transports ?? [])],
          },
        ],
  );

/** Stored with the passkey. Checked here, as it is the only part of the browser's answer that the library does not check. */
const transportNames = z
  .array(z.string().regex(/^[\w-]{1,40}$/))
  .max(10)
  .catch([]);
