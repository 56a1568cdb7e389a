import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import type { AuthorizedWallet, DiscordGuild } from './discord-answers.ts';
import { AuthorizeDialog } from './authorize-dialog.tsx';
import { useAuthorizedWallets } from './discord-calls.ts';
import { RemoveWalletDialog } from './remove-wallet-dialog.tsx';
import { ServerHead } from './server-head.tsx';
import { shownServer } from './server-words.ts';
import { WalletLine } from './wallet-line.tsx';

interface WalletsProps {
  readonly guild: DiscordGuild;
  readonly onBack: () => void;
}

type OpenDialog = { readonly kind: 'add' } | { readonly kind: 'remove'; readonly wallet: AuthorizedWallet };

/** The login screen's 'authorize specific wallets' (rulings R5): per server, with who, why and until when. */
export function Wallets({ guild, onBack }: WalletsProps) {
  const query = useAuthorizedWallets(guild.id);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = () => setDialog(null);
  return (
    <Card as="section" aria-labelledby="discord-wallets" aria-busy={query.isFetching}>
      <ServerHead
        id="discord-wallets"
        backText="All servers"
        onBack={onBack}
        end={
          <Button size="small" look="torch" onClick={() => setDialog({ kind: 'add' })}>
            Authorize a wallet
          </Button>
        }
      >
        Authorized wallets of <bdi>{shownServer(guild)}</bdi>
      </ServerHead>
      <p className="mb-4 max-w-prose text-quiet">
        Anyone who links one of these wallets counts as a holder, whatever it holds. Wallets that expired or were
        removed in the last 30 days are still listed.
      </p>
      <QueryTrouble text="Failed to load the authorized wallets" query={query} />
      {query.isPending && <LoadingLines />}
      {query.data?.length === 0 && (
        <EmptyState>No wallets are authorized. Members are checked by what their wallets hold.</EmptyState>
      )}
      {query.data !== undefined && query.data.length > 0 && (
        <ul aria-labelledby="discord-wallets" className="divide-y divide-line border-t border-line">
          {query.data.map((wallet) => (
            <WalletLine key={wallet.id} wallet={wallet} onRemove={() => setDialog({ kind: 'remove', wallet })} />
          ))}
        </ul>
      )}
      {dialog?.kind === 'add' && <AuthorizeDialog guild={guild} onClose={close} />}
      {dialog?.kind === 'remove' && <RemoveWalletDialog guild={guild} wallet={dialog.wallet} onClose={close} />}
    </Card>
  );
}
