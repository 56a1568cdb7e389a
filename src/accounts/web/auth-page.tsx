import caveWall from 'virtual:artwork/cave-wall.svg';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError, failureText } from '../../ui/api/api-client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Problem } from '../../ui/placeholders.tsx';
import { FocusedHeading } from '../../ui/section-heading.tsx';
import { Form, TextField, type TextFieldProps } from '../../ui/text-field.tsx';
import { useToast, usePreloadedToasts } from '../../ui/toast/toast-provider.tsx';
import { type Challenge, ProofForm } from './proof-form.tsx';
import {
  CheckingSession,
  logIn,
  loginFailedText,
  type Credentials,
  type LoginProblems,
  loginProblems,
  LogoutButton,
  takeSecondStep,
  useSession,
  useWayBack,
  useWelcome,
} from './session.tsx';

/** Specification 2, Admin login. What is shown depends on the visitor: signed out, an admin, or a user without admin access. */
export function AuthPage() {
  const { loading, user } = useSession();
  // After a login during this visit, 'Already logged in' does not follow.
  const [hasLoggedIn, setHasLoggedIn] = useState(false);
  const { sessionEnded } = useWayBack();
  usePreloadedToasts();
  if (loading) return <CheckingSession />;
  if (user?.isAdmin === true) return <OnToAdmin announce={!hasLoggedIn} />;
  return (
    <section className="wrap grid gap-x-20 gap-y-10 py-12 lg:grid-cols-[minmax(0,1fr)_26rem] lg:py-20">
      <AboutTheAdminArea />
      {/* On a phone the form comes first: it is why people open this page. */}
      <Card as="section" className="self-start max-lg:row-start-1">
        {user === null ? (
          <Login sessionEnded={sessionEnded} onLogin={() => setHasLoggedIn(true)} />
        ) : (
          <NoAdminAccess username={user.username} />
        )}
      </Card>
    </section>
  );
}

const sessionEndedText = 'Your session has ended. Log in again to continue where you left off.';

interface LoginProps {
  readonly sessionEnded: boolean;
  readonly onLogin: () => void;
}

/** The form of the specification, and for accounts with a second factor a second step (docs/decisions/0039). */
function Login({ sessionEnded, onLogin }: LoginProps) {
  const [challenge, setChallenge] = useState<Challenge | null>(null);
  const [startAgainReason, setStartAgainReason] = useState<string | null>(null);
  const startAgain = (reason: string | null): void => {
    setChallenge(null);
    setStartAgainReason(reason);
  };
  if (challenge !== null) return <SecondStep challenge={challenge} onLogin={onLogin} onStartAgain={startAgain} />;
  const notice = startAgainReason ?? (sessionEnded ? sessionEndedText : null);
  return (
    <>
      <h2 className="title-3 mb-5">Admin login</h2>
      {notice !== null && <output className="mb-5 block">{notice}</output>}
      <LoginForm onLogin={onLogin} onChallenge={setChallenge} />
    </>
  );
}

const loginKey = ['login'] as const;

interface LoginFormProps extends Pick<LoginProps, 'onLogin'> {
  readonly onChallenge: (challenge: Challenge) => void;
}

/** Specification 2, Admin login: username and password. */
function LoginForm({ onLogin, onChallenge }: LoginFormProps) {
  const [problems, setProblems] = useState<LoginProblems>({});
  const passwordField = useRef<HTMLInputElement>(null);
  const showToast = useToast();
  const client = useQueryClient();
  const welcome = useWelcome(onLogin);
  const login = useMutation({
    mutationKey: loginKey,
    mutationFn: (values: Credentials) => logIn(values),
    onSuccess: (result) => (result.user === null ? onChallenge(result.challenge) : welcome(result.user)),
    onError: (error) => {
      showToast({ title: 'Login failed', description: loginFailedText(error), look: 'destructive' });
      passwordField.current?.select();
    },
  });
  // The server never answered, so nothing is known to be wrong. Shown in the form, since the toast disappears.
  const unanswered = login.error === null || login.error instanceof ApiError ? null : failureText(login.error);
  // The inputs keep their own text: a password manager may fill them without an event.
  const send = ({ username = '', password = '' }: Readonly<Record<string, string>>): void => {
    const found = loginProblems({ username, password });
    setProblems(found);
    // Two presses of Enter are one login.
    const isFree = client.isMutating({ mutationKey: loginKey }) === 0;
    if (Object.keys(found).length === 0 && isFree) login.mutate({ username, password });
  };
  const forget = (name: keyof LoginProblems) => () => setProblems((before) => ({ ...before, [name]: undefined }));
  return (
    <Form className="space-y-5" onSend={send}>
      <TextField
        label="Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        name="username"
        error={problems.username}
        onText={forget('username')}
      />
      <PasswordField
        label="Password"
        name="password"
        ref={passwordField}
        error={problems.password}
        onText={forget('password')}
      />
      <Problem>{unanswered}</Problem>
      <Button type="submit" look="torch" className="w-full" busy={login.isPending}>
        {login.isPending ? 'Logging in' : 'Log in'}
      </Button>
    </Form>
  );
}

interface SecondStepProps extends Pick<LoginProps, 'onLogin'> {
  readonly challenge: Challenge;
  /** `reason` null: the person chose to. */
  readonly onStartAgain: (reason: string | null) => void;
}

/** The password was right: asks for the second factor. */
function SecondStep({ challenge, onLogin, onStartAgain }: SecondStepProps) {
  const welcome = useWelcome(onLogin);
  const showToast = useToast();
  const step = useMutation({
    mutationFn: takeSecondStep,
    onSuccess: welcome,
    onError: (error) => {
      showToast({ title: 'Login failed', description: loginFailedText(error), look: 'destructive' });
      if (error instanceof ApiError && error.code === 'login-over') onStartAgain(failureText(error));
    },
  });
  return (
    <>
      <FocusedHeading className="mb-2">Second step</FocusedHeading>
      <p className="mb-5 text-quiet">The password is right. Now confirm that it is you.</p>
      <ProofForm
        challenge={challenge}
        toSign={() => Promise.resolve(challenge)}
        sending={step}
        submitText={step.isPending ? 'Logging in' : 'Log in'}
        end={
          <Button look="ghost" size="small" onClick={() => onStartAgain(null)}>
            Start again
          </Button>
        }
      />
    </>
  );
}

/** A password field that can show what was typed. */
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

/** Sends an admin on to the dashboard. Rulings R2: only a visit that begins signed in shows the toast. */
function OnToAdmin({ announce }: { readonly announce: boolean }) {
  const showToast = useToast();
  const [, navigate] = useLocation();
  const { backTo } = useWayBack();
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    if (announce) showToast({ title: 'Already logged in', description: 'You are already logged in' });
    navigate(backTo, { replace: true });
  }, [announce, backTo, navigate, showToast]);
  return <CheckingSession />;
}

/** Rulings R2: users without admin access end here instead of being sent back and forth. */
const NoAdminAccess = ({ username }: { readonly username: string }) => (
  <>
    <h2 className="title-3 mb-4">No admin access</h2>
    <p className="mb-6 wrap-anywhere">Signed in as {username}. This account has no admin access.</p>
    <LogoutButton />
  </>
);

/** Specification 2: the list of admin features. */
const features: readonly (readonly [title: string, text: string])[] = [
  ['Manage the Discord bot configuration', 'Start it, shut it down, invite it, set it up server by server.'],
  ['Control NFT verification settings', 'Which collection opens which door, and under what name.'],
  ['View server statistics', 'Who is in, who is verified, what the last sweep found.'],
  ['Authorize specific wallets', 'Let a friend of the tribe in, with a reason and an expiry date.'],
];

function AboutTheAdminArea(): ReactNode {
  return (
    <div>
      <h1 className="title-2">The back of the cave</h1>
      <p className="mt-4 max-w-xl text-lg text-quiet">
        Up front the paintings, back here the levers. Elders only: say your name and the secret grunt.
      </p>
      <h2 className="mt-10 font-bold">What admins do here</h2>
      <ul className="mt-3 grid gap-x-10 lg:grid-cols-[1fr_1fr]">
        {features.map(([title, text]) => (
          <li key={title} className="border-t border-line py-3.5">
            <h3 className="font-semibold">{title}</h3>
            <p className="text-sm text-quiet">{text}</p>
          </li>
        ))}
      </ul>
      <img src={caveWall} width="900" height="220" loading="lazy" alt="" className="auth-wall" />
    </div>
  );
}
