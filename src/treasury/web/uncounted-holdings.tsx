import type { ReactNode } from 'react';
import { foreignText } from '../../shared/foreign-text.ts';
import { ExternalLink } from '../../ui/links.tsx';
import { restOfUncounted } from '../core/uncounted-list.ts';
import { nftReasonWords, shortType, tokenReasonWords } from './holdings-rows.ts';
import { formatBalance, formatCount } from './number-format.ts';
import type { ShownTreasury, UncountedNfts, UncountedToken } from './treasury-answer.ts';

/** Rulings R3: never counted in a total, but counted and listed apart, with the reason. */
export function UncountedHoldings({ snapshot }: { readonly snapshot: ShownTreasury }) {
  const uncountedTokens = snapshot.uncountedTokens ?? [];
  const uncountedNfts = snapshot.uncountedNfts ?? [];
  if (uncountedTokens.length + uncountedNfts.length === 0) return null;
  const rests = restOfUncounted({ ...snapshot, uncountedTokens, uncountedNfts });
  return (
    <div className="space-y-3">
      <Fold what="token" rest={rests.find(({ of }) => of === 'tokens')}>
        {uncountedTokens.map(tokenItem)}
      </Fold>
      <Fold what="NFT collection" rest={rests.find(({ of }) => of === 'nfts')}>
        {uncountedNfts.map(nftItem)}
      </Fold>
    </div>
  );
}

const noReason = 'Not counted, for a reason that this page does not know.';

const tokenItem = (token: UncountedToken, index: number) => {
  const { symbol, humanBalance, rawBalance, reason, explorerUrl, coinType } = token;
  const isRaw = humanBalance === null && rawBalance !== null;
  return (
    <Item
      key={coinType ?? index}
      name={foreignText(symbol, 20)}
      amount={isRaw ? `${foreignText(rawBalance, 24)} base units` : formatBalance(humanBalance)}
      reason={reason === null ? noReason : tokenReasonWords[reason]}
      href={explorerUrl}
      type={coinType}
    />
  );
};

const nftItem = ({ name, count, reason, explorerUrl, collectionType }: UncountedNfts, index: number) => (
  <Item
    key={collectionType ?? index}
    name={foreignText(name, 40)}
    amount={formatCount(count)}
    reason={reason === null ? noReason : nftReasonWords[reason]}
    href={explorerUrl}
    type={collectionType}
  />
);

interface FoldProps {
  /** 'token': what is listed. */
  readonly what: string;
  /** What the list leaves out. */
  readonly rest: { readonly count: number; readonly text: string } | undefined;
  readonly children: readonly ReactNode[];
}

function Fold({ what, rest, children }: FoldProps) {
  if (children.length === 0) return null;
  const count = children.length + (rest?.count ?? 0);
  return (
    <details className="slab px-6 py-4">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">
        {`${formatCount(count)} ${what}${count === 1 ? '' : 's'} not counted`}
      </summary>
      <ul className="mt-4 space-y-4">{children}</ul>
      {rest !== undefined && <p className="mt-4 text-quiet">{rest.text}</p>}
    </details>
  );
}

interface ItemProps {
  readonly name: string;
  readonly amount: string;
  readonly reason: string;
  readonly href: string | null;
  readonly type: string | null;
}

const Item = ({ name, amount, reason, href, type }: ItemProps) => (
  <li className="text-sm">
    <p className="text-base wrap-anywhere">
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      <span className="tabular-nums">{amount}</span>
    </p>
    <p className="text-quiet">
      {reason}{' '}
      {href !== null && type !== null && (
        <ExternalLink href={href} className="link wrap-anywhere max-md:inline-flex max-md:min-h-11 max-md:items-center">
          {shortType(type)}
        </ExternalLink>
      )}
    </p>
  </li>
);
