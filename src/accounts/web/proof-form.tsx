import { type ReactNode, useState } from 'react';
import { startAuthentication, WebAuthnError } from '@simplewebauthn/browser';
import type { UseMutationResult } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/placeholders.tsx';
import { Form, TextField, type TextFieldProps, useFields } from '../../ui/text-field.tsx';
import { flagOrOff, orNull } from '../../ui/api/answer-schema.ts';
import { failureText } from '../../ui/api/api-client.ts';

interface ProofFormProps {
  readonly challenge: Challenge;
  /** What a passkey signs: a new challenge where another tab may have replaced this one. */
  readonly toSign: () => Promise<Challenge>;
  /** Sends the proof to the server. */
  readonly sending: Pick<UseMutationResult<unknown, Error, Proof>, 'mutate' | 'isPending' | 'error' | 'reset'>;
  readonly submitText: string;
  /** The way out, beside the form's own buttons. */
  readonly end: ReactNode;
}

/** Passkey, code or recovery code: whatever the account has. Used at login and wherever it is asked for again. */
export function ProofForm({ challenge, toSign, sending, submitText, end }: ProofFormProps) {
  const { mutate, isPending, error: serverError, reset } = sending;
  const [byRecovery, setByRecovery] = useState(false);
  const [isSigning, setIsSigning] = useState(false);
  const [passkeyError, setPasskeyError] = useState<unknown>(null);
  const forgetErrors = (): void => {
    setPasskeyError(null);
    if (serverError !== null) reset();
  };
  const send = (proof: Proof): void => {
    setPasskeyError(null);
    mutate(proof);
  };
  const tryPasskey = (): void => {
    setIsSigning(true);
    forgetErrors();
    toSign()
      .then(signWithPasskey)
      .then(send, setPasskeyError)
      .finally(() => setIsSigning(false));
  };
  const switchKind = (): void => {
    setByRecovery(!byRecovery);
    forgetErrors();
  };
  const shownError = passkeyError ?? serverError;
  return (
    <div className="space-y-5">
      {challenge.hasDeadApp && (
        <p>
          The codes of an authenticator app no longer work, because SESSION_SECRET was changed after it was added. If
          you have no other way in, ask an admin to remove the app.
        </p>
      )}
      {challenge.passkey !== null && (
        <Button look="torch" className="w-full" busy={isSigning || isPending} onClick={tryPasskey}>
          Use a passkey
        </Button>
      )}
      {(challenge.code || byRecovery) && (
        <CodeForm
          key={String(byRecovery)}
          kind={byRecovery ? 'recovery-code' : 'code'}
          look={challenge.passkey === null || byRecovery ? 'torch' : 'stone'}
          busy={isPending}
          submitText={submitText}
          onProof={send}
        />
      )}
      <Problem>{shownError === null ? null : proofErrorText(shownError)}</Problem>
      <div className="flex flex-wrap gap-2">
        <Button look="ghost" size="small" onClick={switchKind}>
          {byRecovery ? 'Back' : 'Use a recovery code'}
        </Button>
        {end}
      </div>
    </div>
  );
}

type CodeKind = 'code' | 'recovery-code';

interface CodeFormProps {
  readonly kind: CodeKind;
  readonly look: 'torch' | 'stone';
  readonly busy: boolean;
  readonly submitText: string;
  readonly onProof: (proof: Proof) => void;
}

const codeFields: Readonly<Record<CodeKind, TextFieldProps>> = {
  code: {
    label: 'Code',
    hint: 'Six digits, from your authenticator app.',
    maxLength: 7,
    autoComplete: 'one-time-code',
    inputMode: 'numeric',
  },
  'recovery-code': { label: 'Recovery code', hint: 'One of the ten you kept. Each works once.', maxLength: 40 },
};

function CodeForm({ kind, look, busy, submitText, onProof }: CodeFormProps) {
  const { field, save } = useFields({ code: '' }, ({ code }) => ({ code: codeProblems[kind](code) }));
  const send = (): void => save(({ code }) => !busy && onProof({ kind, code: code.trim() }));
  return (
    <Form className="space-y-5" onSend={send}>
      <TextField {...field('code')} spellCheck={false} autoCapitalize="none" {...codeFields[kind]} />
      <Button type="submit" look={look} className="w-full" busy={busy}>
        {submitText}
      </Button>
    </Form>
  );
}

const recoveryCodeProblem = (code: string) => (code.trim() === '' ? 'Type a recovery code.' : undefined);
export const codeProblem = (code: string) =>
  /^\d{3} ?\d{3}$/.test(code.trim()) ? undefined : 'A code has six digits.';
const codeProblems = { code: codeProblem, 'recovery-code': recoveryCodeProblem };

/** The second-factor challenge, as far as the page needs it: only the browser reads the passkey options. */
export const shownChallenge = z.object({
  passkey: orNull(z.record(z.string(), z.unknown())),
  code: flagOrOff,
  hasDeadApp: flagOrOff,
});
export type Challenge = z.infer<typeof shownChallenge>;

/** Answer of a login: the password was right but is not enough. */
export const secondFactorAnswer = z.object({ user: z.null(), secondFactor: shownChallenge });

/** What POST /api/auth/second-factor and POST /api/auth/confirm take. */
export type Proof =
  { readonly kind: CodeKind; readonly code: string } | { readonly kind: 'passkey'; readonly response: unknown };

/** Has the browser ask for the passkey. Rejects with PasskeyFailure. */
async function signWithPasskey({ passkey }: Challenge): Promise<Proof> {
  const optionsJSON = passkey as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return { kind: 'passkey', response: await startAuthentication({ optionsJSON }).catch(throwReadable) };
}

/** Browsers' own error messages are for programmers. */
export function throwReadable(error: unknown): never {
  const code = error instanceof WebAuthnError ? error.code : '';
  const sentence =
    code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
      ? 'This device already has a passkey for this account.'
      : 'The passkey was not used. Try again, or use another method.';
  throw new PasskeyFailure(sentence, { cause: error });
}

/** Its message is for the person. */
class PasskeyFailure extends Error {}

/** Why the passkey was not used, or why the server refused the proof. */
export const proofErrorText = (error: unknown): string =>
  error instanceof PasskeyFailure ? error.message : failureText(error);
