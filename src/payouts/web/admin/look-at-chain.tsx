import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../../ui/api/api-client.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { type Found, useLook } from './transactions-calls.ts';

const foundWords: Readonly<Record<NonNullable<Found>, string>> = {
  executed: 'It is on the chain, and executed.',
  failed: 'It is on the chain, and failed: nothing but gas was spent.',
  'not-found': 'It is not on the chain. It may still come.',
  'not-of-the-treasury': 'It is on the chain, but the treasury did not sign it.',
};

/** For who has executed a transaction elsewhere. */
export function LookAtChain({ id }: { readonly id: number }) {
  const [typed, setTyped] = useState('');
  const look = useMutation({ mutationFn: useLook(id) });
  const digest = typed.trim();
  const wrong = digest !== '' && !/^[1-9A-HJ-NP-Za-km-z]{43,44}$/.test(digest);
  return (
    <div className="grid gap-3 pt-2 pb-2">
      <TextField
        label="Digest (optional)"
        hint="If another tool has executed it already: what it calls the transaction."
        value={typed}
        error={wrong ? 'A digest has 43 or 44 letters and digits, as an explorer shows it.' : undefined}
        autoComplete="off"
        spellCheck={false}
        onText={(text) => {
          look.reset();
          setTyped(text);
        }}
      />
      <Button
        size="small"
        className="justify-self-start"
        busy={look.isPending}
        disabled={wrong}
        onClick={() => look.mutate(digest === '' ? null : digest)}
      >
        Look at the chain
      </Button>
      <div aria-live="polite">
        {look.error !== null && <p className="field-error wrap-anywhere">{failureText(look.error)}</p>}
        {look.data !== undefined && (
          <p className="font-semibold">
            {look.data === null ? 'The chain was read to its end.' : foundWords[look.data]}
          </p>
        )}
      </div>
    </div>
  );
}
