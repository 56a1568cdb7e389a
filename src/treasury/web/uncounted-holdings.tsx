import type { ReactNode } from 'react';
import { foreignText } from '../../shared/foreign-text.ts';
import { ExternalLink } from '../../ui/links.tsx';
import { restOfUncounted } from '../core/uncounted-list.ts';
import { nftReasonWords, shortType, tokenReasonWords } from './holdings-rows.ts';
import { formatBalance, formatCount } from './number-format.ts';
import type { ShownTreasury, UncountedNfts, UncountedToken } from './treasury-answer.ts';

const noReason = 'Not counted, for a reason that this page does not know.';

/** Rulings R3: never counted in a total, but counted and listed apart, with the reason. */
export function UncountedHoldings({ snapshot }: { readonly snapshot: ShownTreasury }) {
  const uncountedTokens = snapshot.uncountedTokens ?? [];
  const uncountedNfts = snapshot.uncountedNfts ?? [];
  if (uncountedTokens.length + uncountedNfts.length === 0) return null;
  const rests = restOfUncounted({ ...snapshot, uncountedTokens, uncountedNfts });
  const restOf = (of: 'tokens' | 'nfts') => rests.find((rest) => rest.of === of) ?? null;
  const [moreTokens, moreNfts] = [restOf('tokens'), restOf('nfts')];
  return (
    <div className="space-y-3">
      {uncountedTokens.length === 0 ? null : (
        <Fold
          title={countOf(uncountedTokens.length + (moreTokens?.count ?? 0), 'token', 'not counted')}
          rest={moreTokens?.text ?? null}
        >
          {uncountedTokens.map((token, index) => (
            <TokenItem key={token.coinType ?? index} token={token} />
          ))}
        </Fold>
      )}
      {uncountedNfts.length === 0 ? null : (
        <Fold
          title={countOf(uncountedNfts.length + (moreNfts?.count ?? 0), 'NFT collection', 'not counted')}
          rest={moreNfts?.text ?? null}
        >
          {uncountedNfts.map((held, index) => (
            <NftItem key={held.collectionType ?? index} held={held} />
          ))}
        </Fold>
      )}
    </div>
  );
}

function TokenItem({ token }: { readonly token: UncountedToken }) {
  const { symbol, humanBalance, rawBalance, reason, explorerUrl, coinType } = token;
  return (
    <Item reason={reason === null ? noReason : tokenReasonWords[reason]} href={explorerUrl} type={coinType}>
      <strong>
        <bdi>{foreignText(symbol, 20)}</bdi>
      </strong>{' '}
      <span className="tabular-nums">
        {humanBalance !== null || rawBalance === null
          ? formatBalance(humanBalance)
          : `${foreignText(rawBalance, 24)} base units`}
      </span>
    </Item>
  );
}

function NftItem({ held }: { readonly held: UncountedNfts }) {
  const { name, count, reason, explorerUrl, collectionType } = held;
  return (
    <Item reason={reason === null ? noReason : nftReasonWords[reason]} href={explorerUrl} type={collectionType}>
      <strong>
        <bdi>{foreignText(name, 40)}</bdi>
      </strong>{' '}
      <span className="tabular-nums">{formatCount(count)}</span>
    </Item>
  );
}

const countOf = (count: number, one: string, words: string): string =>
  `${formatCount(count)} ${one}${count === 1 ? '' : 's'} ${words}`;

interface FoldProps {
  readonly title: string;
  /** What the list leaves out; null: nothing. */
  readonly rest: string | null;
  readonly children: ReactNode;
}

function Fold({ title, rest, children }: FoldProps) {
  return (
    <details className="slab px-6 py-4">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">{title}</summary>
      <ul className="mt-4 space-y-4">{children}</ul>
      {rest === null ? null : <p className="mt-4 text-quiet">{rest}</p>}
    </details>
  );
}

interface ItemProps {
  readonly reason: string;
  readonly href: string | null;
  readonly type: string | null;
  readonly children: ReactNode;
}

function Item({ reason, href, type, children }: ItemProps) {
  return (
    <li className="text-sm">
      <p className="text-base wrap-anywhere">{children}</p>
      <p className="text-quiet">
        {reason}{' '}
        {href === null || type === null ? null : (
          <ExternalLink
            href={href}
            className="link wrap-anywhere max-md:inline-flex max-md:min-h-11 max-md:items-center"
          >
            {shortType(type)}
          </ExternalLink>
        )}
      </p>
    </li>
  );
}
