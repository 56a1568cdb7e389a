import { useMutation } from '@tanstack/react-query';
import { startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import * as z from 'zod/mini';
import { generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { failureText } from '../../../ui/api/api-client.ts';
import { FormDialog } from '../../../ui/dialogs.tsx';
import { useToast } from '../../../ui/toast/toast-provider.tsx';
import { codeProblem, proofErrorText, throwReadable } from '../proof-form.tsx';
import { authenticatorToAdd, newCodes } from './accounts-calls.ts';
import { NameField, nameProblem, OwnPasswordField, passwordProblem } from './factor-dialogs.tsx';
import { useApiMutation, useConfirmedCall, useReload } from '../../../ui/api/use-answer.ts';
import { TextField, useFields } from '../../../ui/text-field.tsx';

interface AddProps {
  /** The new recovery codes, if there were none before; otherwise null. */
  readonly onCodes: (codes: readonly string[] | null) => void;
  readonly onClose: () => void;
}

type MakeOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** The server sends the options, the browser makes the passkey, the server stores it. */
export function AddPasskey({ onCodes, onClose }: AddProps) {
  const { field, save } = useFields({ name: '', password: '' }, ({ name, password }) => ({
    name: nameProblem(name),
    password: passwordProblem(password),
  }));
  const call = useConfirmedCall();
  const showToast = useToast();
  const reload = useReload();
  const add = useMutation({
    mutationFn: async ({ name, password }: Readonly<Record<'name' | 'password', string>>) => {
      const begun = await call({ method: 'POST', path: '/api/auth/passkeys/begin', body: { password } });
      const optionsJSON = dataIn(begun, z.record(z.string(), z.unknown())) as unknown as MakeOptions;
      const response = await startRegistration({ optionsJSON }).catch(throwReadable);
      return call({ method: 'POST', path: '/api/auth/passkeys', body: { name: name.trim(), response } });
    },
    onSuccess: (answer) => {
      showToast({ title: 'Passkey added', description: 'You will be asked for it from now on.' });
      onClose();
      onCodes(dataIn(answer, newCodes)?.recoveryCodes ?? null);
    },
    // Also after a failure: the server may have added it although its answer was lost.
    onSettled: reload,
  });
  return (
    <FormDialog
      title="Add a passkey"
      description="Your phone, this computer or a security key then confirms that it is you."
      saveText="Add passkey"
      onSave={() => save(add.mutate)}
      busy={add.isPending}
      problem={add.error === null ? undefined : proofErrorText(add.error)}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <NameField {...field('name')} example="My phone" />
        <OwnPasswordField {...field('password')} />
      </div>
    </FormDialog>
  );
}

/** First the password, then the secret for the app, then a code that proves that the app has it. */
export function AddAuthenticator(props: AddProps) {
  const [secret, setSecret] = useState<Secret | null>(null);
  if (secret === null) return <PasswordStep onSecret={setSecret} onClose={props.onClose} />;
  return <CodeStep secret={secret} {...props} />;
}

interface Secret {
  /** What the QR code holds. */
  readonly uri: string;
  readonly secret: string;
}

interface PasswordStepProps {
  readonly onSecret: (secret: Secret) => void;
  readonly onClose: () => void;
}

function PasswordStep({ onSecret, onClose }: PasswordStepProps) {
  const { field, save } = useFields({ password: '' }, ({ password }) => ({
    password: passwordProblem(password),
  }));
  const call = useConfirmedCall();
  // Without a toast: the next step says enough.
  const begin = useMutation({
    mutationFn: (body: { readonly password: string }) =>
      call({ method: 'POST', path: '/api/auth/authenticators/begin', body }),
    onSuccess: (answer) => {
      const secret = dataIn(answer, authenticatorToAdd);
      if (secret !== undefined) onSecret(secret);
    },
  });
  return (
    <FormDialog
      title="Add an authenticator app"
      description="It shows a new six-digit code every 30 seconds. Enter your password first."
      saveText="Continue"
      onSave={() => save(begin.mutate)}
      busy={begin.isPending}
      problem={begin.error === null ? undefined : failureText(begin.error)}
      onClose={onClose}
    >
      <OwnPasswordField {...field('password')} />
    </FormDialog>
  );
}

function CodeStep({ secret, onCodes, onClose }: AddProps & { readonly secret: Secret }) {
  const { field, save } = useFields({ name: 'Authenticator app', code: '' }, ({ name, code }) => ({
    name: nameProblem(name),
    code: codeProblem(code),
  }));
  const { send, busy, problem } = useApiMutation<Readonly<Record<'name' | 'code', string>>>({
    call: ({ name, code }) => ({
      method: 'POST',
      path: '/api/auth/authenticators',
      body: { name: name.trim(), code: code.trim() },
    }),
    success: { title: 'Authenticator app added', description: 'You will be asked for its code from now on.' },
    failure: 'Failed to add the authenticator app',
    onDone: (answer) => {
      onClose();
      onCodes(dataIn(answer, newCodes)?.recoveryCodes ?? null);
    },
  });
  return (
    <FormDialog
      title="Add an authenticator app"
      description="Scan this with the app, or type the secret into it."
      saveText="Add app"
      onSave={() => save(send)}
      {...{ onClose, busy, problem }}
    >
      <div className="grid gap-4">
        <QrCode text={secret.uri} />
        <p className="text-sm">
          Secret: <code className="wrap-anywhere">{inGroups(secret.secret)}</code>
        </p>
        <TextField
          {...field('code')}
          label="Code"
          hint="The six digits the app shows now."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
        />
        <NameField {...field('name')} example="My phone" />
      </div>
    </FormDialog>
  );
}

/** Groups of four letters are easier to type. */
const inGroups = (secret: string): string => secret.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** White modules around the code, which scanners need (ISO/IEC 18004, 5.3.8). It is black on white in either theme. */
const quiet = 4;

function QrCode({ text }: { readonly text: string }) {
  const code = generate(text);
  const size = code.size + 2 * quiet;
  return (
    <svg
      viewBox={`${-quiet} ${-quiet} ${size} ${size}`}
      role="img"
      aria-label="QR code of the secret below"
      className="w-[min(100%,14rem)]"
      shapeRendering="crispEdges"
    >
      <rect x={-quiet} y={-quiet} width={size} height={size} fill="#fff" />
      <path d={toSvgPath(code)} fill="#000" />
    </svg>
  );
}
