import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '../../../ui/api/api-client.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { useCopy } from '../../../ui/toast/toast-provider.tsx';
import { checkBytes, type useSend } from './payouts-calls.ts';

interface SignElsewhereProps {
  readonly id: number;
  readonly bytes: string;
  readonly sending: ReturnType<typeof useSend>;
}

/** For a multisig, or a key that no browser has: the bytes go out, a signature comes back. */
export const SignElsewhere = ({ id, bytes, sending }: SignElsewhereProps) => (
  <details className="audit-fold mt-6">
    <summary>Sign elsewhere</summary>
    <div className="grid gap-6 pt-2 pb-2">
      <Bytes bytes={bytes} />
      <CheckBytes id={id} />
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

/** Text from a terminal comes with line breaks. */
const withoutBlanks = (text: string): string => text.replaceAll(/\s+/g, '');
const isBase64 = (text: string): boolean => /^[A-Za-z0-9+/]+={0,2}$/.test(text);

function CheckBytes({ id }: { readonly id: number }) {
  const [typed, setTyped] = useState('');
  const check = useMutation({ mutationFn: (bytes: string) => checkBytes(id, bytes) });
  const wrong =
    typed !== '' && !isBase64(withoutBlanks(typed)) ? 'Bytes are base64: letters, digits, + and /.' : undefined;
  return (
    <div className="grid gap-3">
      <TextArea
        label="Bytes that another tool shows"
        hint="Before you sign there: are they the same as above, or do they pay someone else?"
        value={typed}
        error={wrong}
        spellCheck={false}
        onText={(text) => {
          check.reset();
          setTyped(text);
        }}
      />
      <Button
        size="small"
        className="justify-self-start"
        busy={check.isPending}
        disabled={typed.trim() === '' || wrong !== undefined}
        onClick={() => check.mutate(withoutBlanks(typed))}
      >
        Check the bytes
      </Button>
      <div aria-live="polite" className="wrap-anywhere">
        {check.error !== null && <p className="field-error">{failureText(check.error)}</p>}
        {check.data?.isSame === true && <p className="font-semibold">The same, to the byte.</p>}
        {check.data?.isSame === false && (
          <>
            <p className="font-semibold text-danger">Not the same. Do not sign them.</p>
            <ul className="list-disc pl-5">
              {check.data.differences.map((difference) => (
                <li key={difference}>{difference}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  );
}

const signatureProblem = 'A signature is base64: letters, digits, + and /. Write each on a line of its own.';

function PasteSignature({ sending }: Pick<SignElsewhereProps, 'sending'>) {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | undefined>();
  const send = (): void => {
    const signatures = typed.split(/\s+/).filter(Boolean);
    const found =
      signatures.length === 0 ? 'Paste a signature.' : signatures.every(isBase64) ? undefined : signatureProblem;
    setWrong(found);
    if (found === undefined) sending.send(signatures);
  };
  return (
    <div className="grid gap-3">
      <TextArea
        label="Signature"
        hint="The treasury’s signature; for a multisig, the combined one. This site checks it and sends the transaction."
        value={typed}
        error={wrong ?? sending.problem}
        spellCheck={false}
        onText={setTyped}
      />
      <Button size="small" className="justify-self-start" busy={sending.busy} onClick={send}>
        Send with this signature
      </Button>
    </div>
  );
}
