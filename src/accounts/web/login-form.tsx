import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ApiError, failureText } from '../../ui/api/api-client.ts';
import { Button } from '../../ui/button.tsx';
import { TextField, type TextFieldProps } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toast/toast-provider.tsx';
import { logIn, type SessionUser, type LoginForm as Values } from './session.tsx';

const loginKey = ['login'] as const;

/** Specification 2, Admin login: username and password. */
export function LoginForm({ onLogin }: { readonly onLogin: (user: SessionUser) => void }) {
  const { register, handleSubmit, setFocus, formState } = useForm<Values>({
    defaultValues: { username: '', password: '' },
  });
  const showToast = useToast();
  const client = useQueryClient();
  // Not known to be wrong: the server never answered. Said in place, since the toast goes and the reason stays.
  const [unanswered, setUnanswered] = useState<string | null>(null);
  const login = useMutation({
    mutationKey: loginKey,
    mutationFn: (values: Values) => logIn(values),
    onMutate: () => setUnanswered(null),
    onSuccess: onLogin,
    onError: (error) => {
      showToast({ title: 'Login failed', description: loginFailedText(error), look: 'destructive' });
      if (!(error instanceof ApiError)) setUnanswered(failureText(error));
      setFocus('password', { shouldSelect: true });
    },
  });
  const submit = handleSubmit((values) => {
    // Two presses of Enter are one login: the button is disabled only after the next rendering.
    if (client.isMutating({ mutationKey: loginKey }) === 0) login.mutate(values);
  });
  const { username, password } = formState.errors;
  return (
    <form noValidate className="space-y-5" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={username?.message}
        {...register('username', usernameRules)}
      />
      <PasswordField label="Password" error={password?.message} {...register('password', passwordRules)} />
      {unanswered !== null && (
        <p role="alert" className="field-error">
          {unanswered}
        </p>
      )}
      <Button type="submit" look="torch" className="w-full" busy={login.isPending}>
        {login.isPending ? 'Logging in' : 'Log in'}
      </Button>
    </form>
  );
}

/** A password that can be shown for as long as its owner wants to see it. */
function PasswordField(props: Omit<TextFieldProps, 'type' | 'end'>) {
  const [shown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      autoCapitalize="none"
      spellCheck={false}
      end={
        <button
          type="button"
          className="field-end"
          aria-label={shown ? 'Hide password' : 'Show password'}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}

/**
 * Specification 5, in the form library's words: the schema of the contract says the same (see the test), but would bring
 * its whole library along.
 */
const lengthsOf = (name: string, shortest: number, longest: number) => {
  const tooShort = `${name} must be at least ${shortest} characters.`;
  return {
    required: tooShort,
    minLength: { value: shortest, message: tooShort },
    maxLength: { value: longest, message: `${name} must be at most ${longest} characters.` },
  };
};

export const usernameRules = lengthsOf('Username', 2, 64);
export const passwordRules = lengthsOf('Password', 4, 200);

/** Specification 8, 'Login failed': the server's message field, else the raw response text, else 'Login failed'. */
export function loginFailedText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Login failed';
  return error.serverMessage ?? (error.body.trim() === '' ? 'Login failed' : error.body);
}
