import { useState } from 'react';
import { allRights, type Rights } from '../../../shared/rights.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { ConfirmButton, DialogButton, FormDialog } from '../../../ui/dialogs.tsx';
import { Line, ListPanel } from '../../../ui/panel.tsx';
import { EmptyState } from '../../../ui/placeholders.tsx';
import { SelectField } from '../../../ui/text-field.tsx';
import {
  type Account,
  accountsPath,
  type Factor,
  kindText,
  rightsInWords,
  rightsText,
  shownFields,
  useAccounts,
  useRightsChange,
} from './accounts-calls.ts';
import { FactorAges } from './factor-dialogs.tsx';

/** Every account, for full admins. New ones are made on the machine itself (`npm run user`). */
export const AllAccounts = () => (
  <ListPanel
    id="all-accounts"
    title="All accounts"
    query={useAccounts()}
    failure="Failed to load the accounts"
    empty={<EmptyState>There are no accounts.</EmptyState>}
  >
    {(account) => <AccountLine key={account.id} account={account} />}
  </ListPanel>
);

function AccountLine({ account }: { readonly account: Account }) {
  const { username, rights, lastSignedInAt, factors, isYou } = account;
  const about = `of ${username}`;
  const buttons = (
    <div className="flex flex-wrap gap-2">
      {/* Unknown rights must not be saved as none. */}
      <DialogButton text="Change rights" about={about} disabled={rights === undefined}>
        {(close) => <RightsDialog account={account} onClose={close} />}
      </DialogButton>
      {!isYou && <EndSessions account={account} about={about} />}
      {!isYou &&
        factors?.map((factor) => <RemoveLost key={factor.id} account={account} factor={factor} about={about} />)}
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
        <Age asOf={lastSignedInAt} none={lastSignedInAt === null ? 'none' : 'not known'} />
      </p>
    </Line>
  );
}

const secondFactorText = (factors: Account['factors']): string => {
  if (factors === null) return 'not known';
  return factors.length === 0 ? 'none' : factors.map(kindText).join(', ');
};

const none = 'none';
const choices = { ...rightsInWords, [none]: 'None (no access)' };

function RightsDialog({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) {
  const [wanted, setWanted] = useState<Rights | typeof none>(account.rights ?? none);
  const { send, busy, problem, staleNote } = useRightsChange({
    seen: account,
    success: { title: 'Rights changed', description: `They apply to ${account.username} from now on.` },
    failure: 'Failed to change the rights',
    onDone: onClose,
  });
  const rights = wanted === none ? null : wanted;
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
      stale={staleNote(shownFields({ rights }))}
      {...{ onClose, busy, problem }}
    >
      <SelectField
        label="Rights"
        value={wanted}
        options={choices}
        onText={(text) => setWanted(allRights.find((each) => each === text) ?? none)}
      />
    </FormDialog>
  );
}

interface ButtonProps {
  readonly account: Account;
  readonly about: string;
}

const EndSessions = ({ account, about }: ButtonProps) => (
  <ConfirmButton
    text="End sessions"
    look="danger"
    about={about}
    dialogTitle="End sessions"
    change={{
      call: () => ({ method: 'DELETE', path: `${accountsPath}/${account.id}/sessions` }),
      success: { title: 'Sessions ended', description: `${account.username} has to log in again.` },
      failure: 'Failed to end the sessions',
    }}
  >
    <p>
      <bdi className="font-semibold">{account.username}</bdi> is signed out everywhere and has to log in again.
    </p>
  </ConfirmButton>
);

const RemoveLost = ({ account, factor, about }: ButtonProps & { readonly factor: Factor }) => (
  <ConfirmButton
    text={`Remove ${factor.name}`}
    look="danger"
    about={`${about}, added ${factor.addedAt === null ? 'at an unknown time' : instantInWords(factor.addedAt)}`}
    dialogTitle="Remove a lost second factor"
    confirmText="Remove"
    change={{
      call: () => ({ method: 'DELETE', path: `${accountsPath}/${account.id}/factors/${factor.id}` }),
      success: { title: 'Second factor removed', description: `${account.username} is no longer asked for it.` },
      failure: 'Failed to remove the second factor',
    }}
  >
    <p>
      <bdi className="font-semibold">{factor.name}</bdi> of <bdi>{account.username}</bdi> will no longer be asked for.
      After the last one their password is enough.
    </p>
    <p className="mt-2">
      {kindText(factor)}. <FactorAges {...factor} />.
    </p>
  </ConfirmButton>
);
