import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../ui/button.tsx';
import { useInBrowser } from '../../../ui/server-written.tsx';
import { Form, TextField } from '../../../ui/text-field.tsx';
import { holderLink } from './rock-addresses.ts';
import { readWalletText } from './rock-filters.ts';

/** Where an address is pasted, or a name typed, to see what it holds. */
export function HolderField() {
  const [, navigate] = useLocation();
  const [problem, setProblem] = useState<string>();
  // Before the page came to life the browser itself would send the form, and lose what was typed.
  const isAlive = useInBrowser(() => true, false);
  // The browser keeps the text: a state would forget what was typed before the page came to life.
  const look = ({ wallet: typed = '' }: Readonly<Record<string, string>>): void => {
    const wallet = readWalletText(typed);
    if ('problem' in wallet) setProblem(wallet.problem);
    else navigate(holderLink('name' in wallet ? wallet.name : wallet.address));
  };
  return (
    <Form onSend={look} className="holder-field needs-script">
      <TextField
        label="Whose rocks? Paste a Sui address or a name"
        hint="0x and 64 digits, or a name like example.sui."
        error={problem}
        name="wallet"
        onText={() => setProblem(undefined)}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Button type="submit" disabled={!isAlive}>
        Show rocks
      </Button>
    </Form>
  );
}
