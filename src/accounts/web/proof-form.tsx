import { type ReactNode, useState } from 'react';
import { startAuthentication, WebAuthnError } from '@simplewebauthn/browser';
import * as z from 'zod/mini';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/placeholders.tsx';
import { Form, TextField, useFields } from '../../ui/text-field.tsx';
import { flagOrOff, orNull } from '../../ui/api/answer-schema.ts';

interface ProofFormProps {
  readonly question: Question;
  readonly busy: boolean;
  readonly onProof: (proof: Proof) => void;
  /** What the server said about the last try. */
  readonly problem?: string | undefined;
  readonly submitText: string;
  /** The way out, beside the form's own buttons. */
  readonly end?: ReactNode;
}

/** Passkey, code or recovery code: whatever the account has. Used at login and wherever it is asked for again. */
export function ProofForm({ question, busy, onProof, problem, submitText, end }: ProofFormProps) {
  const [byRecovery, setByRecovery] = useState(false);
  const [waiting, setWaiting] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const give = (proof: Proof): void => {
    setTrouble(null);
    onProof(proof);
  };
  const usePasskey = (): void => {
    setWaiting(true);
    setTrouble(null);
    signWithPasskey(question)
      .then(give)
      .catch((error: unknown) => setTrouble(error instanceof PasskeyFailure ? error.message : String(error)))
      .finally(() => setWaiting(false));
  };
  const said = trouble ?? problem;
  return (
    <div className="space-y-5">
      {question.passkey !== null && (
        <Button look="torch" className="w-full" busy={waiting || busy} onClick={usePasskey}>
          Use a passkey
        </Button>
      )}
      {(question.code || byRecovery) && (
        <CodeForm
          key={String(byRecovery)}
          byRecovery={byRecovery}
          look={question.passkey === null || byRecovery ? 'torch' : 'stone'}
          busy={busy}
          submitText={submitText}
          onProof={give}
        />
      )}
      <Problem>{said}</Problem>
      <div className="flex flex-wrap gap-2">
        <Button look="ghost" size="small" onClick={() => setByRecovery(!byRecovery)}>
          {byRecovery ? 'Back' : 'Use a recovery code'}
        </Button>
        {end}
      </div>
    </div>
  );
}

interface CodeFormProps extends Pick<ProofFormProps, 'busy' | 'submitText' | 'onProof'> {
  readonly byRecovery: boolean;
  readonly look: 'torch' | 'stone';
}

function CodeForm({ byRecovery, look, busy, submitText, onProof }: CodeFormProps) {
  const { field, save } = useFields({ code: '' }, ({ code }) => ({
    code: byRecovery ? recoveryCodeProblem(code) : codeProblem(code),
  }));
  const send = (): void =>
    save(({ code }) => !busy && onProof({ kind: byRecovery ? 'recovery-code' : 'code', code: code.trim() }));
  return (
    <Form className="space-y-5" onSend={send}>
      <TextField
        {...field('code')}
        label={byRecovery ? 'Recovery code' : 'Code'}
        hint={byRecovery ? 'One of the ten you kept. Each works once.' : 'Six digits, from your authenticator app.'}
        maxLength={byRecovery ? 40 : 7}
        spellCheck={false}
        autoCapitalize="none"
        {...(!byRecovery && { autoComplete: 'one-time-code', inputMode: 'numeric' })}
      />
      <Button type="submit" look={look} className="w-full" busy={busy}>
        {submitText}
      </Button>
    </Form>
  );
}

const recoveryCodeProblem = (code: string) => (code.trim() === '' ? 'Type a recovery code.' : undefined);
export const codeProblem = (code: string) =>
  /^\d{3} ?\d{3}$/.test(code.trim()) ? undefined : 'A code has six digits.';

/** The second-factor question, as far as the page needs it: only the browser reads the passkey options. */
export const question = z.object({ passkey: orNull(z.record(z.string(), z.unknown())), code: flagOrOff });
export type Question = z.infer<typeof question>;

/** Answer of a login: the password was right but is not enough. */
export const secondFactorAnswer = z.object({ user: z.null(), secondFactor: question });

/** What POST /api/auth/second-factor and POST /api/auth/confirm take. */
export type Proof =
  | { readonly kind: 'code' | 'recovery-code'; readonly code: string }
  | { readonly kind: 'passkey'; readonly response: unknown };

/** Has the browser ask for the passkey. Rejects with a sentence for the person. */
async function signWithPasskey({ passkey }: Question): Promise<Proof> {
  const optionsJSON = passkey as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  return { kind: 'passkey', response: await startAuthentication({ optionsJSON }).catch(inWords) };
}

/** Browsers' own error messages are for programmers. */
export function inWords(error: unknown): never {
  const code = error instanceof WebAuthnError ? error.code : '';
  const sentence =
    code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
      ? 'This device already has a passkey for this account.'
      : 'The passkey was not used. Try again, or use another method.';
  throw new PasskeyFailure(sentence, { cause: error });
}

/** Its message is for the person. */
export class PasskeyFailure extends Error {}
