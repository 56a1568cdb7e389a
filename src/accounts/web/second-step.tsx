import { useMutation } from '@tanstack/react-query';
import { ApiError, failureText } from '../../ui/api/api-client.ts';
import { Button } from '../../ui/button.tsx';
import { FocusedHeading } from '../../ui/section-heading.tsx';
import { useToast } from '../../ui/toast/toast-provider.tsx';
import { type Challenge, ProofForm } from './proof-form.tsx';
import { loginFailedText, takeSecondStep, useWelcome } from './session.tsx';

interface SecondStepProps {
  readonly challenge: Challenge;
  readonly onLogin: () => void;
  /** `reason` null: the person chose to. */
  readonly onStartAgain: (reason: string | null) => void;
}

/** The password was right: asks for the second factor. */
export function SecondStep({ challenge, onLogin, onStartAgain }: SecondStepProps) {
  const welcome = useWelcome(onLogin);
  const showToast = useToast();
  const step = useMutation({
    mutationFn: takeSecondStep,
    onSuccess: welcome,
    onError: (error) => {
      showToast({ title: 'Login failed', description: loginFailedText(error), look: 'destructive' });
      if (error instanceof ApiError && error.code === 'login-over') onStartAgain(failureText(error));
    },
  });
  return (
    <>
      <FocusedHeading className="mb-2">Second step</FocusedHeading>
      <p className="mb-5 text-quiet">The password is right. Now confirm that it is you.</p>
      <ProofForm
        challenge={challenge}
        toSign={() => Promise.resolve(challenge)}
        sending={step}
        submitText={step.isPending ? 'Logging in' : 'Log in'}
        end={
          <Button look="ghost" size="small" onClick={() => onStartAgain(null)}>
            Start again
          </Button>
        }
      />
    </>
  );
}
