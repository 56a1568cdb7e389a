import { startAuthentication, WebAuthnError } from '@simplewebauthn/browser';
import * as z from 'zod/mini';
import { flagOrOff, orNull } from '../../ui/api/answer-schema.ts';

/** What is asked for besides the password, as far as the page needs it: what a passkey signs is the browser's to read. */
export const question = z.object({ passkey: orNull(z.record(z.string(), z.unknown())), code: flagOrOff });
export type Question = z.infer<typeof question>;

/** Of a login: the password was right, and is not enough. */
export const secondFactorAnswer = z.object({ user: z.null(), secondFactor: question });

/** What POST /api/auth/second-factor and POST /api/auth/confirm take. */
export type Proof =
  | { readonly kind: 'code' | 'recovery-code'; readonly code: string }
  | { readonly kind: 'passkey'; readonly response: unknown };

/** Has the browser ask for the passkey. Rejects with a sentence for the person. */
export async function signWithPasskey({ passkey }: Question): Promise<Proof> {
  const optionsJSON = passkey as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return { kind: 'passkey', response: await startAuthentication({ optionsJSON }).catch(inWords) };
}

/** Browsers' own words for it are for programmers. */
export function inWords(error: unknown): never {
  const code = error instanceof WebAuthnError ? error.code : '';
  const sentence =
    code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
      ? 'This device already has a passkey for this account.'
      : 'The passkey was not used. Try again, or use another way.';
  throw new PasskeyFailure(sentence, { cause: error });
}

/** Its message is for the person. */
export class PasskeyFailure extends Error {}
