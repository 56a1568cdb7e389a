import { useState } from 'react';
import { allRights, type Rights } from '../../../shared/rights.ts';
import { Age } from '../../../ui/age.tsx';
import { StaleVersions } from '../../../ui/api/versioned-change.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog, FormDialog } from '../../../ui/dialogs.tsx';
import { Line, Panel, QueryLines } from '../../../ui/panel.tsx';
import { EmptyState } from '../../../ui/placeholders.tsx';
import {
  type Account,
  accountsPath,
  type Factor,
  kindText,
  rightsInWords,
  rightsText,
  useAccounts,
  useRightsChange,
} from './accounts-calls.ts';

type Open =
  | { readonly kind: 'rights' | 'sessions'; readonly account: Account }
  | { readonly kind: 'factor'; readonly account: Account; readonly factor: Factor };

/** Every account, for full admins. New ones are made on the machine itself (`npm run user`). */
export function AllAccounts() {
  const query = useAccounts();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <Panel id="all-accounts" title="All accounts" busy={query.isFetching} onRefresh={() => void query.refetch()}>
      <QueryLines
        query={query}
        failure="Failed to load the accounts"
        empty={<EmptyState>There are no accounts.</EmptyState>}
        labelledBy="all-accounts"
      >
        {(account) => <AccountLine key={account.id} account={account} onOpen={setOpen} />}
      </QueryLines>
      {open?.kind === 'rights' && <RightsDialog account={open.account} onClose={close} />}
      {open?.kind === 'sessions' && <EndSessions account={open.account} onClose={close} />}
      {open?.kind === 'factor' && <RemoveLost account={open.account} factor={open.factor} onClose={close} />}
    </Panel>
  );
}

function AccountLine({ account, onOpen }: { readonly account: Account; readonly onOpen: (open: Open) => void }) {
  const { username, rights, lastSignedInAt, factors, sessionCount, isYou } = account;
  const buttons = (
    <div className="flex flex-wrap gap-2">
      <Button size="small" about={`of ${username}`} onClick={() => onOpen({ kind: 'rights', account })}>
        Change rights
      </Button>
      {!isYou && sessionCount !== 0 && (
        <Button
          size="small"
          look="danger"
          about={`of ${username}`}
          onClick={() => onOpen({ kind: 'sessions', account })}
        >
          End sessions
        </Button>
      )}
      {!isYou &&
        factors?.map((factor) => (
          <Button
            key={factor.id}
            size="small"
            look="danger"
            about={`of ${username}`}
            onClick={() => onOpen({ kind: 'factor', account, factor })}
          >
            Remove {factor.name}
          </Button>
        ))}
    </div>
  );
  return (
    <Line end={buttons}>
      <p>
        <bdi className="font-semibold">{username}</bdi> {isYou && <Badge tone="torch">You</Badge>}
      </p>
      <p>Rights: {rightsText(rights)}</p>
      <p className="text-sm text-quiet">
        Second factor: {secondFactorText(factors)} · Last sign-in:{' '}
        {typeof lastSignedInAt === 'string' ? (
          <Age asOf={lastSignedInAt} />
        ) : (
          { null: 'none', undefined: 'not known' }[`${lastSignedInAt}`]
        )}
      </p>
    </Line>
  );
}

const secondFactorText = (factors: Account['factors']): string => {
  if (factors === null) return 'not known';
  return factors.length === 0 ? 'none' : factors.map(kindText).join(', ');
};

interface AccountDialogProps {
  readonly account: Account;
  readonly onClose: () => void;
}

const none = 'none';

function RightsDialog({ account, onClose }: AccountDialogProps) {
  const [wanted, setWanted] = useState<Rights | typeof none>(account.rights ?? none);
  const { send, busy, problem, stale } = useRightsChange({
    seen: account,
    success: { title: 'Rights changed', description: `They apply to ${account.username} from now on.` },
    failure: 'Failed to change the rights',
    onDone: onClose,
  });
  const rights = wanted === none ? null : wanted;
  const shown = ({ rights }: Pick<Account, 'rights'>) => ({ Rights: rightsText(rights) });
  return (
    <FormDialog
      title="Change rights"
      description={
        <>
          What <bdi className="font-semibold">{account.username}</bdi> may do here.
        </>
      }
      saveText="Save rights"
      onSave={() => send(rights)}
      stale={
        stale !== null && (
          <StaleVersions what="account" yours={shown({ rights })} before={shown(account)} now={shown(stale)} />
        )
      }
      {...{ onClose, busy, problem }}
    >
      <label className="rock-filter">
        <span>Rights</span>
        <select
          value={wanted}
          onChange={({ target }) => setWanted(allRights.find((each) => each === target.value) ?? none)}
        >
          {allRights.map((each) => (
            <option key={each} value={each}>
              {rightsInWords[each]}
            </option>
          ))}
          <option value={none}>None (no way in)</option>
        </select>
      </label>
    </FormDialog>
  );
}

const EndSessions = ({ account, onClose }: AccountDialogProps) => (
  <ConfirmDialog
    title="End sessions"
    confirmText="End sessions"
    onClose={onClose}
    change={{
      call: () => ({ method: 'DELETE', path: `${accountsPath}/${account.id}/sessions` }),
      success: { title: 'Sessions ended', description: `${account.username} has to log in again.` },
      failure: 'Failed to end the sessions',
    }}
  >
    <p>
      <bdi className="font-semibold">{account.username}</bdi> is signed out everywhere and has to log in again.
    </p>
  </ConfirmDialog>
);

const RemoveLost = ({ account, factor, onClose }: AccountDialogProps & { readonly factor: Factor }) => (
  <ConfirmDialog
    title="Remove a lost second factor"
    confirmText="Remove"
    onClose={onClose}
    change={{
      call: () => ({ method: 'DELETE', path: `${accountsPath}/${account.id}/factors/${factor.id}` }),
      success: { title: 'Second factor removed', description: `${account.username} is asked for it no more.` },
      failure: 'Failed to remove the second factor',
    }}
  >
    <p>
      <bdi className="font-semibold">{factor.name}</bdi> of <bdi>{account.username}</bdi> is asked for no more. After
      the last one their password is enough.
    </p>
  </ConfirmDialog>
);
