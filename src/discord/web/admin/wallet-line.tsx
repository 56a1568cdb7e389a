import { foreignText } from '../../../shared/foreign-text.ts';
import { shortAddress } from '../../../shared/sui-address.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { Age } from '../../../ui/age.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import type { AuthorizedWallet } from './discord-answers.ts';
import { shownMember } from './member-words.ts';

interface WalletLineProps {
  readonly wallet: AuthorizedWallet;
  readonly onRemove: () => void;
}

export function WalletLine({ wallet: row, onRemove }: WalletLineProps) {
  const { wallet, reason, isActive, addedBy, addedAt, member } = row;
  const state = stateInWords(row);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={isActive === true ? 'live' : 'quiet'}>{state}</Badge>
          <bdi className="font-semibold">{foreignText(reason, 200)}</bdi>
        </p>
        <code className="block text-sm">{wallet}</code>
        <p className="text-sm text-quiet">
          <Until row={row} />
          {addedBy !== null && <> · added by {addedBy}</>} {addedAt !== null && <Age asOf={addedAt} />}
          {member === null && ' · not linked yet'}
          {member != null && (
            <>
              {' '}
              · linked by <bdi title={member.userId}>{shownMember(member)}</bdi>
            </>
          )}
        </p>
      </div>
      {isActive !== false && (
        <Button size="small" look="danger" onClick={onRemove}>
          Remove<span className="sr-only"> {shortAddress(wallet)}</span>
        </Button>
      )}
    </li>
  );
}

function stateInWords({ isActive, removedAt }: AuthorizedWallet): string {
  if (isActive === null) return 'Not known';
  if (isActive) return 'Active';
  return removedAt === null ? 'Expired' : 'Removed';
}

function Until({ row: { expiresAt, removedAt, removedBy, isActive } }: { readonly row: AuthorizedWallet }) {
  if (removedAt !== null) {
    return (
      <>
        Removed by {removedBy ?? 'somebody unknown'} <Age asOf={removedAt} />
      </>
    );
  }
  if (expiresAt === undefined) return 'Expiry not known';
  if (expiresAt === null) return 'No expiry';
  return `${isActive !== false ? 'Until' : 'Expired'} ${instantInWords(expiresAt)}`;
}
