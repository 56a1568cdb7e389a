import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { TextArea, useFields } from '../../../ui/text-field.tsx';
import { useCopy } from '../../../ui/toast/toast-provider.tsx';
import type { useSend } from './payouts-calls.ts';

interface SignElsewhereProps {
  readonly bytes: string;
  /** How other bytes differ from the plan, as a sentence; nullish: no difference is known. */
  readonly differenceOf: (base64: string) => string | null | undefined;
  readonly sending: ReturnType<typeof useSend>;
}

/** For a multisig, or a key outside the browser: the bytes are copied, a signature is pasted. */
export const SignElsewhere = ({ bytes, differenceOf, sending }: SignElsewhereProps) => (
  <details className="audit-fold mt-6">
    <summary>Sign elsewhere</summary>
    <div className="grid gap-6 pt-2 pb-2">
      <Bytes bytes={bytes} />
      <CheckBytes bytes={bytes} differenceOf={differenceOf} />
      <PasteSignature sending={sending} />
    </div>
  </details>
);

function Bytes({ bytes }: { readonly bytes: string }) {
  const copy = useCopy(
    bytes,
    'The bytes are on the clipboard.',
    'Select the bytes in the field and copy them by hand.',
  );
  return (
    <div className="grid gap-3">
      <TextArea
        label="Bytes to sign"
        hint="The whole transaction in base64, for the Sui CLI or a multisig tool. Every signer of a multisig signs these same bytes."
        value={bytes}
        readOnly
        spellCheck={false}
      />
      <Button size="small" className="justify-self-start" onClick={() => void copy()}>
        Copy the bytes
      </Button>
    </div>
  );
}

function CheckBytes({ bytes, differenceOf }: Pick<SignElsewhereProps, 'bytes' | 'differenceOf'>) {
  const [typed, setTyped] = useState('');
  const pasted = base64In(typed);
  return (
    <div className="grid gap-3">
      <TextArea
        label="Bytes that another tool shows"
        hint="Before you sign there: are they the same as above, or do they pay someone else?"
        value={typed}
        spellCheck={false}
        onText={setTyped}
      />
      <div aria-live="polite" className="wrap-anywhere">
        {pasted === bytes && <p className="font-semibold">The same, to the byte.</p>}
        {pasted !== bytes && pasted !== '' && (
          <p className="font-semibold text-danger">Not the same bytes. Do not sign them. {differenceOf(pasted)}</p>
        )}
      </div>
    </div>
  );
}

/** Base64 as other tools print it: with line breaks from a terminal, in quotation marks from JSON. */
const base64In = (text: string): string => text.replaceAll(/[\s"']+/g, '');

function signatureProblem(typed: string): string | undefined {
  const signature = base64In(typed);
  if (signature === '') return 'Paste a signature.';
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return undefined;
  return 'A signature is base64: letters, digits, + and /. Paste one; of a multisig, the combined one.';
}

function PasteSignature({ sending }: Pick<SignElsewhereProps, 'sending'>) {
  const { field, save } = useFields({ signature: '' }, ({ signature }) => ({ signature: signatureProblem(signature) }));
  const { error = sending.problem, ...typed } = field('signature');
  return (
    <div className="grid gap-3">
      <TextArea
        label="Signature"
        hint="The treasury’s signature; for a multisig, the combined one. This site checks it and sends the transaction."
        {...typed}
        error={error}
        spellCheck={false}
      />
      <Button
        size="small"
        className="justify-self-start"
        busy={sending.busy}
        onClick={() => save(({ signature }) => sending.send(base64In(signature)))}
      >
        Send with this signature
      </Button>
    </div>
  );
}
