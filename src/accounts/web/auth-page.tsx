import caveWall from 'virtual:artwork/cave-wall.svg';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Card } from '../../ui/card.tsx';
import { useToast, useToastsAtHand } from '../../ui/toast/toast-provider.tsx';
import { LoginForm } from './login-form.tsx';
import { CheckingSession, LogoutButton, type SessionUser, storeUser, useSession, useWayBack } from './session.tsx';

/** Specification 2, Admin login. What is shown depends on the visitor: signed out, an admin, or a user without admin access. */
export function AuthPage() {
  const { loading, user } = useSession();
  const login = useLogin();
  const { sessionEnded } = useWayBack();
  useToastsAtHand();
  if (loading) return <CheckingSession />;
  if (user?.isAdmin === true) return <OnToAdmin announce={!login.happened} />;
  return (
    <section className="wrap auth">
      <AboutTheAdminArea />
      <Card as="section" className="auth-card">
        {user === null ? (
          <>
            <h2 className="title-3 mb-5">Admin login</h2>
            {sessionEnded && (
              <p role="status" className="mb-5">
                Your session has ended. Log in again to continue where you were.
              </p>
            )}
            <LoginForm onLogin={login.take} />
          </>
        ) : (
          <NoAdminAccess username={user.username} />
        )}
      </Card>
    </section>
  );
}

/** A login on this very visit: welcomed, stored, and remembered so that 'Already logged in' does not follow right after. */
function useLogin() {
  const client = useQueryClient();
  const showToast = useToast();
  const [happened, setHappened] = useState(false);
  const take = (user: SessionUser): void => {
    setHappened(true);
    showToast({ title: 'Login successful', description: `Welcome, ${user.username}!` });
    storeUser(client, user);
  };
  return { happened, take };
}

/** An admin has nothing to do here. Rulings R2: only a visit that begins signed in has the toast. */
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

/** Rulings R2: they end here instead of being sent back and forth. */
function NoAdminAccess({ username }: { readonly username: string }) {
  return (
    <>
      <h2 className="title-3 mb-4">No admin access</h2>
      <p className="mb-6 wrap-anywhere">Signed in as {username}. This account has no admin access.</p>
      <LogoutButton />
    </>
  );
}

/** Specification 2: the list of admin features. */
const features: readonly { readonly title: string; readonly text: string }[] = [
  {
    title: 'Manage the Discord bot configuration',
    text: 'Start it, shut it down, invite it, set it up server by server.',
  },
  { title: 'Control NFT verification settings', text: 'Which collection opens which door, and under what name.' },
  { title: 'View server statistics', text: 'Who is in, who is verified, what the last sweep found.' },
  { title: 'Authorize specific wallets', text: 'Let a friend of the tribe in, with a reason and an expiry date.' },
];

function AboutTheAdminArea(): ReactNode {
  return (
    <div>
      <h1 className="title-2">The back of the cave</h1>
      <p className="mt-4 max-w-xl text-lg text-quiet">
        Up front the paintings, back here the levers. Elders only: say your name and the secret grunt.
      </p>
      <h2 className="mt-10 font-bold">What admins do here</h2>
      <ul className="auth-features">
        {features.map(({ title, text }) => (
          <li key={title}>
            <h3 className="font-semibold">{title}</h3>
            <p className="text-sm text-quiet">{text}</p>
          </li>
        ))}
      </ul>
      <img src={caveWall} width="900" height="220" loading="lazy" alt="" className="auth-wall" />
    </div>
  );
}
