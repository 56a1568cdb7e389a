import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { readAnswer } from '../../ui/api/answer-schema.ts';
import { ApiError, callApi, failureText } from '../../ui/api/api-client.ts';
import { AskAgainProvider } from '../../ui/api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { type Proof, ProofForm, type Question, question } from './proof-form.tsx';

const begin = (): Promise<Question> => readAnswer({ method: 'POST', path: '/api/auth/confirm/begin' }, question);

/**
 * Wraps the admin area: a call that needs the second factor again (`Route.needsSecondFactorAgain`) opens the dialog and continues once it is given.
 * Several such calls at once share one dialog.
 */
export function AskAgain({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Question | null>(null);
  const waiting = useRef<{ readonly promise: Promise<boolean>; readonly end: (given: boolean) => void } | null>(null);
  const end = useCallback((given: boolean): void => {
    setAsked(null);
    waiting.current?.end(given);
    waiting.current = null;
  }, []);
  const ask = useCallback((): Promise<boolean> => {
    if (waiting.current !== null) return waiting.current.promise;
    let endIt: (given: boolean) => void = () => {};
    const promise = new Promise<boolean>((resolve) => {
      endIt = resolve;
    });
    waiting.current = { promise, end: endIt };
    begin().then(setAsked, () => end(false));
    return promise;
  }, [end]);
  return (
    <AskAgainProvider value={ask}>
      {children}
      {asked !== null && <AgainDialog asked={asked} onAsk={setAsked} onEnd={end} />}
    </AskAgainProvider>
  );
}

interface AgainDialogProps {
  readonly asked: Question;
  readonly onAsk: (question: Question) => void;
  readonly onEnd: (given: boolean) => void;
}

function AgainDialog({ asked, onAsk, onEnd }: AgainDialogProps) {
  const confirm = useMutation({
    mutationFn: async (proof: Proof) => {
      try {
        await callApi({ method: 'POST', path: '/api/auth/confirm', body: proof });
      } catch (error) {
        // Expired, or no tries left: the next try needs a new question.
        if (error instanceof ApiError && error.code === 'question-over') onAsk(await begin());
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
          question={asked}
          busy={confirm.isPending}
          onProof={confirm.mutate}
          problem={confirm.error === null ? undefined : failureText(confirm.error)}
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
