import { useState } from 'react';
import { Button } from '../../web/ui/button.tsx';

type Copied = 'no' | 'yes' | 'refused';

const words: Readonly<Record<Copied, string>> = {
  no: 'Copy address',
  yes: 'Address copied',
  refused: 'Select it and copy by hand',
};

/** Copies the treasury address; the button itself says so, and says when the browser does not allow it. */
export function CopyAddress({ address }: { readonly address: string }) {
  const [copied, setCopied] = useState<Copied>('no');
  const copy = () => {
    navigator.clipboard.writeText(address).then(
      () => setCopied('yes'),
      () => setCopied('refused'),
    );
  };
  return (
    <Button className="noscript:hidden" onClick={copy} onBlur={() => setCopied('no')}>
      <span aria-live="polite">{words[copied]}</span>
    </Button>
  );
}
