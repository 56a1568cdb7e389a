import { accountLink } from '../../shared/explorer-links.ts';
import { foreignText } from '../../shared/foreign-text.ts';
import { shortAddress } from '../../shared/sui-address.ts';
import { Age } from '../../ui/age.tsx';
import { counted } from '../../ui/decimal-text.ts';
import { ExternalLink, PageLink } from '../../ui/links.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { wordsMax } from '../core/ledger-words.ts';
import type { ShownMovement } from './ledger-answer.ts';
import { kindNames, roleWords, signedAmountText } from './movement-words.ts';
import { formatUsd } from './number-format.ts';

/** One movement: what the chain says of it, then what the team says. */
export function MovementFacts({ movement }: { readonly movement: ShownMovement }) {
  const { kind, payout, changes, nftCount, usdAtTime, at, explorerUrl, note } = movement;
  const name = kind === null ? 'Movement' : kindNames[kind];
  return (
    <>
      <p className="font-semibold wrap-anywhere">
        {name}{' '}
        <span className="tabular-nums">
          <bdi>{changes.map(signedAmountText).join(', ')}</bdi>
        </span>
        {nftCount !== null && nftCount > 0 && <span>, {counted(nftCount, 'NFT')}</span>}
      </p>
      <p className="rock-event-line">
        {payout !== null && (
          <PageLink to={`/payouts/${payout}`} className="link">
            Payout {payout}
          </PageLink>
        )}
        <Counterparty of={movement} />
        {usdAtTime !== null && <span className="tabular-nums">worth {formatUsd(usdAtTime)} then</span>}
        {at === null ? <span className="text-quiet">Time not known</span> : <Age asOf={at} className="text-quiet" />}
        {explorerUrl !== null && (
          <ExternalLink href={explorerUrl}>
            Transaction<span className="sr-only"> of: {name}</span>
          </ExternalLink>
        )}
      </p>
      {note !== null && (
        <p className="rock-event-line wrap-anywhere">
          <span className="min-w-0">
            Team&rsquo;s note: <bdi>{foreignText(note.text, wordsMax.note)}</bdi>
          </span>
          {note.link !== null && (
            <ExternalLink typed href={note.link}>
              More<span className="sr-only"> about: {foreignText(note.text, 60)}</span>
            </ExternalLink>
          )}
        </p>
      )}
    </>
  );
}

function Counterparty({ of: { counterparty } }: { readonly of: ShownMovement }) {
  const { explorerUrl } = useSiteConfig();
  if (counterparty === null) return null;
  const { address, name, role } = counterparty;
  const shown = name === null ? shortAddress(address) : foreignText(name, 60);
  return (
    <span className="wrap-anywhere">
      with{' '}
      {role === 'holder' ? (
        <PageLink to={`/holders/${address}`} className="link" title={address}>
          {shown}
        </PageLink>
      ) : (
        <ExternalLink href={accountLink(explorerUrl, address)} title={address}>
          {shown}
        </ExternalLink>
      )}
      {role !== null && ` (${roleWords[role]})`}
    </span>
  );
}
