import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/placeholders.tsx';
import { useIsHydrated } from '../../../ui/server-written.tsx';
import { Form, TextField } from '../../../ui/text-field.tsx';
import { lookedUp, type LookedUp, walletTextMax } from './rock-filters.ts';

/** Takes an address, a name or a connected wallet, and leads to what it holds. */
export function HolderField() {
  const [, navigate] = useLocation();
  // Before hydration the browser itself submits the form, to this page.
  const isHydrated = useIsHydrated();
  const search = useSearch();
  const submitted = isHydrated ? new URLSearchParams(search).get('wallet') : null;
  const { to, problem: submittedProblem }: LookedUp = submitted === null ? {} : lookedUp(submitted);
  useEffect(() => {
    // Going back must not lead here again.
    if (to !== undefined) navigate(to, { replace: true });
  }, [to, navigate]);
  // null: not typed yet.
  const [problem, setProblem] = useState<string | null | undefined>(null);
  const lookUp = (typed: string): void => {
    const found = lookedUp(typed);
    setProblem(found.problem);
    if (found.to !== undefined) navigate(found.to);
  };
  return (
    <>
      {/* The browser keeps the text: React state would lose what was typed before hydration. */}
      <Form onSend={({ wallet = '' }) => lookUp(wallet)} className="holder-field needs-script">
        <TextField
          label="Whose rocks? Paste a Sui address or a name"
          hint="0x and 64 digits, a name like example.sui, or the number of a rock."
          error={problem === null ? submittedProblem : problem}
          name="wallet"
          defaultValue={submitted ?? ''}
          onText={() => setProblem(undefined)}
          maxLength={walletTextMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit">Show rocks</Button>
      </Form>
      <HolderOfWallet onAddress={(wallet) => lookUp(wallet)} />
    </>
  );
}

/** The wallet code loads only on a press: most visitors do not connect. */
function HolderOfWallet({ onAddress }: { readonly onAddress: (address: string) => void }) {
  const isHydrated = useIsHydrated();
  const { data, mutate, isPending, isError } = useMutation({
    mutationFn: () => import('../../../ui/wallets/sui-wallets.tsx'),
  });
  return (
    <div className="needs-script mt-4 space-y-3">
      {data === undefined ? (
        <Button busy={isPending} disabled={!isHydrated} onClick={() => mutate()}>
          Connect wallet
        </Button>
      ) : (
        <data.ConnectWallet onAddress={onAddress} />
      )}
      <p className="text-quiet">Only the address is read. Nothing is signed.</p>
      <Problem>
        {isError
          ? 'The wallet code could not be loaded. Check the connection and press again, or reload the page.'
          : null}
      </Problem>
    </div>
  );
}
