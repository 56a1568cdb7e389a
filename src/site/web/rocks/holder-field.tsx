import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/placeholders.tsx';
import { useIsHydrated } from '../../../ui/server-written.tsx';
import { Form, TextField } from '../../../ui/text-field.tsx';
import { holderLink, rockLink } from './rock-addresses.ts';
import { readWalletText, walletTextMax } from './rock-filters.ts';

/** Takes an address, a name or a connected wallet, and leads to what it holds. */
export function HolderField() {
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<string>();
  // Before hydration the browser itself would submit the form, and lose what was typed.
  const isHydrated = useIsHydrated();
  // The browser keeps the text: React state would lose what was typed before hydration.
  const lookUp = ({ wallet: typed = '' }: Readonly<Record<string, string>>): void => {
    const number = /^#?([1-9]\d{0,2})$/.exec(typed.trim())?.[1];
    if (number !== undefined) return navigate(rockLink(Number(number)));
    const wallet = readWalletText(typed);
    if ('problem' in wallet) setProblem(wallet.problem);
    else navigate(holderLink('name' in wallet ? wallet.name : wallet.address));
  };
  return (
    <>
      <Form onSend={lookUp} className="holder-field needs-script">
        <TextField
          label="Whose rocks? Paste a Sui address or a name"
          hint="0x and 64 digits, a name like example.sui, or the number of a rock."
          error={problem}
          name="wallet"
          onText={() => setProblem(undefined)}
          maxLength={walletTextMax}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit" disabled={!isHydrated}>
          Show rocks
        </Button>
      </Form>
      <HolderOfWallet onAddress={(wallet) => lookUp({ wallet })} />
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
