import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { readAnswer } from '../../ui/api/answer-schema.ts';
import { ApiError, callApi } from '../../ui/api/api-client.ts';
import { AskAgainProvider } from '../../ui/api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { type Challenge, type Proof, ProofForm, shownChallenge } from './proof-form.tsx';

/** null: the account has no second factor any more, so there is nothing to ask for. */
const begin = (): Promise<Challenge | null> =>
  readAnswer({ method: 'POST', path: '/api/auth/confirm/begin' }, shownChallenge).catch((error: unknown) => {
    if (hasCode(error, 'no-second-factor')) return null;
    throw error;
  });

const hasCode = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code;

/**
 * Wraps the admin area: a call that needs the second factor again (`Route.needsSecondFactorAgain`) opens the dialog and continues once it is given.
 * Several such calls at once share one dialog.
 */
export function AskAgain({ children }: { readonly children: ReactNode }) {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  /** Whether the second factor is given, once the dialog is over; null: it is not open. */
  const pending = useRef<Promise<boolean> | null>(null);
  const resolvePending = useRef<(isGiven: boolean) => void>(() => {});
  const end = useCallback((isGiven: boolean): void => {
    setChallenge(null);
    pending.current = null;
    resolvePending.current(isGiven);
  }, []);
  const ask = useCallback((): Promise<boolean> => {
    if (pending.current !== null) return pending.current;
    const answer = new Promise<boolean>((resolve) => {
      resolvePending.current = resolve;
    });
    pending.current = answer;
    const ifStillAsked = (next: () => void) => pending.current === answer && next();
    begin().then(
      (begun) => ifStillAsked(() => (begun === null ? end(true) : setChallenge(begun))),
      () => ifStillAsked(() => end(false)),
    );
    return answer;
  }, [end]);
  const at = useSearch();
  const lastAt = useRef(at);
  // Another address, as after the back button, leaves what it was asked for.
  useEffect(() => {
    if (lastAt.current !== at) end(false);
    lastAt.current = at;
  }, [at, end]);
  return (
    <AskAgainProvider value={ask}>
      {children}
      {challenge !== null && <AgainDialog challenge={challenge} onNewChallenge={setChallenge} onEnd={end} />}
    </AskAgainProvider>
  );
}

interface AgainDialogProps {
  readonly challenge: Challenge;
  readonly onNewChallenge: (challenge: Challenge) => void;
  readonly onEnd: (isGiven: boolean) => void;
}

function AgainDialog({ challenge, onNewChallenge, onEnd }: AgainDialogProps) {
  const confirm = useMutation({
    mutationFn: async (proof: Proof) => {
      try {
        await callApi({ method: 'POST', path: '/api/auth/confirm', body: proof });
      } catch (error) {
        if (!hasCode(error, 'challenge-over')) throw error;
        // The next try needs a new challenge, if there is still anything to ask for.
        const next = await begin();
        if (next === null) return;
        onNewChallenge(next);
        throw error;
      }
    },
    onSuccess: () => onEnd(true),
  });
  return (
    <Dialog
      title="Confirm that it is you"
      description="This needs your second factor again. It is then valid for ten minutes."
      busy={confirm.isPending}
      onClose={() => onEnd(false)}
    >
      <div className="mt-5">
        <ProofForm
          challenge={challenge}
          toSign={async () => (await begin()) ?? challenge}
          sending={confirm}
          submitText="Confirm"
          end={
            <Button look="ghost" size="small" busy={confirm.isPending} onClick={() => onEnd(false)}>
              Cancel
            </Button>
          }
        />
      </div>
    </Dialog>
  );
}
