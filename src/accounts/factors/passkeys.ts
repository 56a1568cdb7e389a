import { isIP } from 'node:net';

import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import { z } from 'zod';

import type { PasskeyResponse } from '../contract.ts';
import type { User } from '../account-store.ts';
import type { Factor, NewPasskey } from './factor-store.ts';

export interface Site {
  readonly publicUrl: string;
  /** What authenticators call this product. */
  readonly productName: string;
}

/** How long a browser waits for the person, in milliseconds: as long as the question stands. */
const timeout = 300_000;
/** EdDSA, ES256 and RS256 (COSE numbers): all authenticators know one of them. */
const supportedAlgorithmIDs = [-8, -7, -257];

export type Passkeys = ReturnType<typeof createPasskeys>;

/** WebAuthn for this site: its RP id and origin follow from PUBLIC_URL, and whoever holds the key proves who they are (PIN, finger, face). */
export function createPasskeys({ publicUrl, productName }: Site) {
  const { hostname, origin, protocol } = new URL(publicUrl);
  const verified = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true } as const;
  return {
    /** Browsers have passkeys for names, not for numbers, and only on https or on this machine. */
    areOffered: isIP(hostname.replace(/^\[|\]$/g, '')) === 0 && (protocol === 'https:' || hostname === 'localhost'),
    /** What the browser makes a new passkey from; its `challenge` must be signed. */
    toAdd: (user: User, factors: readonly Factor[]) =>
      generateRegistrationOptions({
        rpName: productName,
        rpID: hostname,
        userName: user.username,
        userDisplayName: user.username,
        // The same for all passkeys of an account, and nothing personal.
        userID: new TextEncoder().encode(`account ${user.id}`),
        timeout,
        attestationType: 'none',
        excludeCredentials: credentialsOf(factors).map(({ id, transports }) => ({ id, transports })),
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
        supportedAlgorithmIDs,
      }),
    /** null: it is no new passkey for this challenge. */
    readNew: async (given: PasskeyResponse, expectedChallenge: string): Promise<NewPasskey | null> => {
      const response = given as unknown as RegistrationResponseJSON;
      if (!hasAcceptedFormat(given)) return null;
      const asked = { response, expectedChallenge, supportedAlgorithmIDs, ...verified };
      const { registrationInfo } = await verifyRegistrationResponse(asked).catch(() => ({
        registrationInfo: undefined,
      }));
      if (registrationInfo === undefined) return null;
      const { id, publicKey, counter, transports } = registrationInfo.credential;
      return { credentialId: id, publicKey, counter: String(counter), transports: transportNames.parse(transports) };
    },
    /** What the browser asks for the passkeys of an account. */
    toSign: (factors: readonly Factor[]) =>
      generateAuthenticationOptions({
        rpID: hostname,
        allowCredentials: credentialsOf(factors).map(({ id, transports }) => ({ id, transports })),
        userVerification: 'required',
        timeout,
      }),
    /** null: it was not signed by one of these passkeys, for this challenge and site, or its counter says that there is a copy of it. */
    check: async (given: PasskeyResponse, factors: readonly Factor[], expectedChallenge: string) => {
      const response = given as unknown as AuthenticationResponseJSON;
      const credential = credentialsOf(factors).find(({ id }) => id === response.id);
      if (credential === undefined) return null;
      const asked = { response, expectedChallenge, credential, ...verified };
      const answer = await verifyAuthenticationResponse(asked).catch(() => null);
      if (answer === null || !answer.verified) return null;
      return { factorId: credential.factorId, counter: answer.authenticationInfo.newCounter };
    },
  };
}

const attested = z.object({ attestationObject: z.string() });

/**
 * What browsers give where nobody asks for an attestation. For other formats the library would fetch certificate revocation lists from addresses that the sender chose.
 */
function hasAcceptedFormat({ response }: PasskeyResponse): boolean {
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

/** Stored with the passkey. Checked here because the library checks every other part of the browser's answer, but not this one. */
const transportNames = z
  .array(z.string().regex(/^[\w-]{1,40}$/))
  .max(10)
  .catch([]);
