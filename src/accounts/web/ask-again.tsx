import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { readAnswer } from '../../ui/api/answer-schema.ts';
import { ApiError, callApi } from '../../ui/api/api-client.ts';
import { AskAgainProvider } from '../../ui/api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { type Proof, ProofForm, type Question, secondFactorQuestion } from './proof-form.tsx';

const begin = (): Promise<Question> =>
  readAnswer({ method: 'POST', path: '/api/auth/confirm/begin' }, secondFactorQuestion);

/**
 * Wraps the admin area: a call that needs the second factor again (`Route.needsSecondFactorAgain`) opens the dialog and continues once it is given.
 * Several such calls at once share one dialog.
 */
export function AskAgain({ children }: { readonly children: ReactNode }) {
  const [question, setQuestion] = useState<Question | null>(null);
  /** Whether the second factor is given, once the dialog is over; null: it is not open. */
  const pending = useRef<Promise<boolean> | null>(null);
  const resolvePending = useRef<(isGiven: boolean) => void>(() => {});
  const end = useCallback((isGiven: boolean): void => {
    setQuestion(null);
    pending.current = null;
    resolvePending.current(isGiven);
  }, []);
  const ask = useCallback((): Promise<boolean> => {
    if (pending.current !== null) return pending.current;
    const answer = new Promise<boolean>((resolve) => {
      resolvePending.current = resolve;
    });
    pending.current = answer;
    begin().then(setQuestion, () => end(false));
    return answer;
  }, [end]);
  return (
    <AskAgainProvider value={ask}>
      {children}
      {question !== null && <AgainDialog question={question} onNewQuestion={setQuestion} onEnd={end} />}
    </AskAgainProvider>
  );
}

interface AgainDialogProps {
  readonly question: Question;
  readonly onNewQuestion: (question: Question) => void;
  readonly onEnd: (isGiven: boolean) => void;
}

function AgainDialog({ question, onNewQuestion, onEnd }: AgainDialogProps) {
  const confirm = useMutation({
    mutationFn: async (proof: Proof) => {
      try {
        await callApi({ method: 'POST', path: '/api/auth/confirm', body: proof });
      } catch (error) {
        // Expired, or no tries left: the next try needs a new question.
        if (error instanceof ApiError && error.code === 'question-over') onNewQuestion(await begin());
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
          question={question}
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
