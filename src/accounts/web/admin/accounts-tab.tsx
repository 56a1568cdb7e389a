import { useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { ViewTabs } from '../../../ui/address-bar.tsx';
import { Age } from '../../../ui/age.tsx';
import { dataIn } from '../../../ui/api/answer-schema.ts';
import { useApiMutation } from '../../../ui/api/use-answer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmButton, Dialog, DialogButton } from '../../../ui/dialogs.tsx';
import { Line, Lines, Panel, Part } from '../../../ui/panel.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { useCopy } from '../../../ui/toast/toast-provider.tsx';
import { type Factor, kindText, newCodes, type OwnAccount, type Session, useOwnAccount } from './accounts-calls.ts';
import { AddAuthenticator, AddPasskey } from './add-factor.tsx';
import { AllAccounts } from './all-accounts.tsx';
import { FactorAges, RemoveFactor } from './factor-dialogs.tsx';

/** One's own second factors and sessions; full admins see all accounts (docs/decisions/0039). */
export const AccountsTab = ({ seesAll }: { readonly seesAll: boolean }) => (
  <ViewTabs
    label="Accounts"
    tabs={[
      { value: 'factors', label: 'Second factor', subject: 'Your second factors', content: <OwnFactors /> },
      { value: 'sessions', label: 'Sessions', subject: 'Your sessions', content: <OwnSessions /> },
      ...(seesAll
        ? [{ value: 'all', label: 'All accounts', subject: 'The list of accounts', content: <AllAccounts /> }]
        : []),
    ]}
  />
);

/** ASVS 7.5.2: where you are signed in, and how to end it. */
function OwnSessions() {
  const query = useOwnAccount();
  return (
    <Panel
      id="own-sessions"
      title="Your sessions"
      query={query}
      intro="Every browser you are signed in on. If you do not recognize one, end its session and ask whoever runs the server to change your password."
    >
      <Answered query={query} failure="Failed to load your sessions" loading={<LoadingLines />}>
        {({ sessions }) => (
          <>
            <Lines labelledBy="own-sessions">
              {sessions?.map((session) => (
                <SessionLine key={session.id} session={session} />
              ))}
            </Lines>
            {sessions !== null && sessions.length > 1 && (
              <ConfirmButton
                text="End all others"
                look="danger"
                className="mt-4"
                dialogTitle="End all other sessions"
                change={{
                  call: () => ({ method: 'DELETE', path: '/api/auth/sessions' }),
                  success: { title: 'Sessions ended', description: 'You are signed in only here.' },
                  failure: 'Failed to end the sessions',
                }}
              >
                <p>Every other browser has to log in again. This one stays signed in.</p>
              </ConfirmButton>
            )}
          </>
        )}
      </Answered>
    </Panel>
  );
}

function SessionLine({ session }: { readonly session: Session }) {
  const { id, begunAt, lastUsedAt, isThisOne } = session;
  const browser = session.browser ?? 'Unknown browser';
  const end = useApiMutation({
    call: () => ({ method: 'DELETE', path: `/api/auth/sessions/${id}` }),
    success: { title: 'Session ended', description: 'That browser has to log in again.' },
    failure: 'Failed to end the session',
  });
  const button = (
    <Button size="small" about={browser} busy={end.busy} onClick={() => end.send()}>
      End
    </Button>
  );
  return (
    <Line end={isThisOne ? <Badge tone="torch">This one</Badge> : button}>
      <p className="font-semibold">{browser}</p>
      <p className="text-sm text-quiet">
        Signed in <Age asOf={begunAt} none="at an unknown time" />, last used{' '}
        <Age asOf={lastUsedAt} none="at an unknown time" />
      </p>
    </Line>
  );
}

/** One's own passkeys, authenticator apps and recovery codes. */
function OwnFactors() {
  const query = useOwnAccount();
  // New codes are shown once, over the panel.
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Panel
      id="own-factors"
      title="Second factor"
      query={query}
      intro="With a second factor, a stolen password is not enough: you are asked for it when you log in, and again before anything that cannot be undone."
    >
      <Answered query={query} failure="Failed to load your second factors" loading={<LoadingLines />}>
        {(own) => <Factors own={own} onCodes={setCodes} />}
      </Answered>
      {codes !== null && <ShownCodes codes={codes} onClose={() => setCodes(null)} />}
    </Panel>
  );
}

interface FactorsProps {
  readonly own: OwnAccount;
  /** null: no new recovery codes were made. */
  readonly onCodes: (codes: readonly string[] | null) => void;
}

function Factors({ own, onCodes }: FactorsProps) {
  const { factors, passkeysAreOffered, recoveryCodesLeft } = own;
  return (
    <>
      {factors?.length === 0 && (
        <EmptyState>You have no second factor yet. Adding the first one ends all your other sessions.</EmptyState>
      )}
      {factors !== null && factors.length > 0 && (
        <Lines labelledBy="own-factors">
          {factors.map((factor) => (
            <FactorLine key={factor.id} factor={factor} />
          ))}
        </Lines>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        {passkeysAreOffered && (
          <DialogButton text="Add a passkey">
            {(close) => <AddPasskey onCodes={onCodes} onClose={close} />}
          </DialogButton>
        )}
        <DialogButton text="Add an authenticator app">
          {(close) => <AddAuthenticator onCodes={onCodes} onClose={close} />}
        </DialogButton>
      </div>
      {factors !== null && factors.length > 0 && (
        <Part id="own-recovery-codes" title="Recovery codes">
          <p className="my-2 text-quiet">
            {recoveryCodesLeft === null ? 'The number left is not known.' : `${recoveryCodesLeft} of 10 are left.`} Each
            replaces a lost second factor, once. If you do not have them, make new ones.
          </p>
          <ConfirmButton
            text="Make new codes"
            dialogTitle="Make new recovery codes"
            change={{
              call: () => ({ method: 'POST', path: '/api/auth/recovery-codes' }),
              success: { title: 'New recovery codes', description: 'The old ones no longer work.' },
              failure: 'Failed to make new codes',
              onDone: (answer) => onCodes(dataIn(answer, newCodes)?.recoveryCodes ?? null),
            }}
          >
            <p>The old codes no longer work. The new ones are shown only once.</p>
          </ConfirmButton>
        </Part>
      )}
    </>
  );
}

function FactorLine({ factor }: { readonly factor: Factor }) {
  const name = foreignText(factor.name, 40);
  const button = (
    <DialogButton text="Remove" look="danger" about={name}>
      {(close) => <RemoveFactor factor={factor} onClose={close} />}
    </DialogButton>
  );
  return (
    <Line end={button}>
      <p>
        <bdi className="font-semibold">{name}</bdi>
        <span className="text-quiet">, {kindText(factor)}</span>
      </p>
      {factor.isDead && (
        <p className="text-sm">
          Its codes no longer work: SESSION_SECRET was changed after it was added. Remove it and add it again.
        </p>
      )}
      <p className="text-sm text-quiet">
        <FactorAges {...factor} />
      </p>
    </Line>
  );
}

/** The only time they can be read: only their hashes are stored. */
function ShownCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const copy = useCopy(codes.join('\n'), 'Recovery codes copied to clipboard', 'Write them down by hand.');
  return (
    <Dialog
      isAlert
      title="Your recovery codes"
      description="Each one replaces a lost second factor, once. Do not keep them on your phone. They are shown only now."
      onClose={onClose}
    >
      <ul aria-label="Recovery codes" className="mt-5 grid gap-x-8 gap-y-1 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-2">
        <Button size="small" onClick={() => void copy()}>
          Copy
        </Button>
        <Button size="small" look="torch" onClick={onClose}>
          I have saved them
        </Button>
      </div>
    </Dialog>
  );
}
