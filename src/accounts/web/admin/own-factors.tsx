import { useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { Line, Lines, Panel, Part } from '../../../ui/panel.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-trouble.tsx';
import { type Factor, kindText, type OwnAccount, useOwnAccount } from './accounts-calls.ts';
import { AddAuthenticator } from './add-authenticator.tsx';
import { AddPasskey } from './add-passkey.tsx';
import { NewCodesDialog, ShownCodes } from './recovery-codes.tsx';
import { RemoveFactor, RenameFactor } from './factor-dialogs.tsx';

type Open =
  | { readonly kind: 'passkey' | 'authenticator' | 'codes' }
  | { readonly kind: 'rename' | 'remove'; readonly factor: Factor; readonly isLast: boolean };

/** What one shows besides the password: passkeys, authenticator apps, recovery codes. */
export function OwnFactors() {
  const query = useOwnAccount();
  const [open, setOpen] = useState<Open | null>(null);
  // New ones are shown once, over whatever was done before.
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setOpen(null);
  const added = (made: readonly string[] | null): void => {
    setOpen(null);
    setCodes(made);
  };
  return (
    <Panel id="own-factors" title="Second factor" busy={query.isFetching} onRefresh={() => void query.refetch()}>
      <p className="mb-4 max-w-prose text-quiet">
        With one, a password that somebody learned opens nothing: you are asked for it when you log in, and again before
        what cannot be undone.
      </p>
      <Answered query={query} failure="Failed to load your second factors" loading={<LoadingLines />}>
        {(own) => <Factors own={own} onOpen={setOpen} />}
      </Answered>
      {open?.kind === 'passkey' && <AddPasskey onAdded={added} onClose={close} />}
      {open?.kind === 'authenticator' && <AddAuthenticator onAdded={added} onClose={close} />}
      {open?.kind === 'rename' && <RenameFactor factor={open.factor} onClose={close} />}
      {open?.kind === 'remove' && <RemoveFactor factor={open.factor} isLast={open.isLast} onClose={close} />}
      {open?.kind === 'codes' && <NewCodesDialog onMade={added} onClose={close} />}
      {codes !== null && <ShownCodes codes={codes} onClose={() => setCodes(null)} />}
    </Panel>
  );
}

function Factors({ own, onOpen }: { readonly own: OwnAccount; readonly onOpen: (open: Open) => void }) {
  const { factors, passkeysAreOffered, recoveryCodesLeft } = own;
  const isLast = factors?.length === 1;
  return (
    <>
      {factors?.length === 0 && <EmptyState>You have no second factor yet.</EmptyState>}
      {factors !== null && factors.length > 0 && (
        <Lines labelledBy="own-factors">
          {factors.map((factor) => (
            <FactorLine key={factor.id} factor={factor} onOpen={(kind) => onOpen({ kind, factor, isLast })} />
          ))}
        </Lines>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        {passkeysAreOffered && (
          <Button size="small" onClick={() => onOpen({ kind: 'passkey' })}>
            Add a passkey
          </Button>
        )}
        <Button size="small" onClick={() => onOpen({ kind: 'authenticator' })}>
          Add an authenticator app
        </Button>
      </div>
      {factors !== null && factors.length > 0 && (
        <Part id="own-recovery-codes" title="Recovery codes">
          <p className="my-2 text-quiet">
            {recoveryCodesLeft === null ? 'Not known how many are left.' : `${recoveryCodesLeft} of 10 are left.`} Each
            stands in once for a second factor that is lost.
          </p>
          <Button size="small" onClick={() => onOpen({ kind: 'codes' })}>
            Make new codes
          </Button>
        </Part>
      )}
    </>
  );
}

interface FactorLineProps {
  readonly factor: Factor;
  readonly onOpen: (kind: 'rename' | 'remove') => void;
}

function FactorLine({ factor, onOpen }: FactorLineProps) {
  const { addedAt, lastUsedAt } = factor;
  const name = foreignText(factor.name, 40);
  const buttons = (
    <div className="flex flex-wrap gap-2">
      <Button size="small" about={name} onClick={() => onOpen('rename')}>
        Rename
      </Button>
      <Button size="small" look="danger" about={name} onClick={() => onOpen('remove')}>
        Remove
      </Button>
    </div>
  );
  return (
    <Line end={buttons}>
      <p>
        <bdi className="font-semibold">{name}</bdi>
        <span className="text-quiet">, {kindText(factor)}</span>
      </p>
      <p className="text-sm text-quiet">
        Added {addedAt === null ? 'not known when' : <Age asOf={addedAt} />},{' '}
        {lastUsedAt === null ? (
          'not used yet'
        ) : (
          <>
            last used <Age asOf={lastUsedAt} />
          </>
        )}
      </p>
    </Line>
  );
}
