import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { holderLink } from './rock-addresses.ts';
import { readWalletText } from './wallet-text.ts';

/** Where an address is pasted, or a name typed, to see what it holds. */
export function HolderField() {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const look = (event: FormEvent): void => {
    event.preventDefault();
    const wallet = readWalletText(text);
    if ('problem' in wallet) setProblem(wallet.problem);
    else navigate(holderLink('name' in wallet ? wallet.name : wallet.address));
  };
  const change = (next: string): void => {
    setText(next);
    setProblem(undefined);
  };
  return (
    <form onSubmit={look} noValidate className="holder-field needs-script">
      <TextField
        label="Whose rocks? Paste a Sui address or a name"
        hint="0x and 64 digits, or a name like example.sui."
        error={problem}
        value={text}
        onText={change}
        maxLength={200}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Button type="submit">Show rocks</Button>
    </form>
  );
}
