import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { holderLink } from './rock-addresses.ts';
import { readWalletText } from './wallet-text.ts';

/** Where an address is pasted to see what it holds. */
export function HolderField() {
  const [, navigate] = useLocation();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const look = (event: FormEvent): void => {
    event.preventDefault();
    const wallet = readWalletText(text);
    if ('address' in wallet) navigate(holderLink(wallet.address));
    else setProblem(wallet.problem);
  };
  const change = (next: string): void => {
    setText(next);
    setProblem(undefined);
  };
  return (
    <form onSubmit={look} noValidate className="holder-field needs-script">
      <TextField
        label="Whose rocks? Paste a Sui address"
        hint="0x and 64 digits. Names (.sui) may come later."
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
