import { AddressTabs } from '../../../ui/address-bar.tsx';
import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-answer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, DialogButton } from '../../../ui/dialogs.tsx';
import { Line, Lines, Panel } from '../../../ui/panel.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-error.tsx';
import { type Session, useOwnAccount } from './accounts-calls.ts';
import { AllAccounts } from './all-accounts.tsx';
import { OwnFactors } from './own-factors.tsx';

/** One's own second factors and sessions; full admins see all accounts (docs/decisions/0039). */
export const AccountsTab = ({ seesAll }: { readonly seesAll: boolean }) => (
  <AddressTabs
    name="view"
    keep={['tab']}
    label="Accounts"
    size="small"
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
      intro="Every browser you are signed in on. If you do not recognise one, end its session and ask whoever runs the server to change your password."
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
              <DialogButton text="End all others" look="danger" className="mt-4" of={null}>
                {(_, close) => <EndAllOthers onClose={close} />}
              </DialogButton>
            )}
          </>
        )}
      </Answered>
    </Panel>
  );
}

const EndAllOthers = ({ onClose }: { readonly onClose: () => void }) => (
  <ConfirmDialog
    title="End all other sessions"
    confirmText="End all others"
    onClose={onClose}
    change={{
      call: () => ({ method: 'DELETE', path: '/api/auth/sessions' }),
      success: { title: 'Sessions ended', description: 'You are signed in only here.' },
      failure: 'Failed to end the sessions',
    }}
  >
    <p>Every other browser has to log in again. This one stays signed in.</p>
  </ConfirmDialog>
);

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
