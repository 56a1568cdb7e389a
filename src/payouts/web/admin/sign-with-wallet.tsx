import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import type { useSend } from './transactions-calls.ts';

interface SignWithWalletProps {
  /** The transaction, base64. */
  readonly bytes: string;
  readonly sending: ReturnType<typeof useSend>;
}

/** The code of wallets comes when it is asked for: most visits sign nothing. */
export function SignWithWallet({ bytes, sending }: SignWithWalletProps) {
  const { data, mutate, isPending, isError } = useMutation({ mutationFn: () => import('./sign-here.tsx') });
  if (data !== undefined) return <data.SignHere bytes={bytes} sending={sending} />;
  return (
    <>
      <p className="my-3 text-quiet">In a wallet of this browser whose account is the treasury.</p>
      <Button look="torch" busy={isPending} onClick={() => mutate()}>
        Sign with a wallet
      </Button>
      {isError && (
        <p role="alert" className="field-error mt-3">
          The code that speaks to wallets could not be loaded. Check the connection and press again, or load the page
          anew.
        </p>
      )}
    </>
  );
}
