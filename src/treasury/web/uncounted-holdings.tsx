import { foreignText } from '../../shared/foreign-text.ts';
import type { ReactNode } from 'react';
import { ExternalLink } from '../../web/ui/external-link.tsx';
import type { TreasurySnapshot } from '../contract.ts';
import { shortType } from './foreign-text.ts';
import { formatBalance, formatCount } from './number-format.ts';
import { nftReasonWords, tokenReasonWords } from './uncounted-reasons.ts';

type Uncounted = Pick<TreasurySnapshot, 'uncountedTokens' | 'uncountedNfts'>;

/** Rulings R3: never counted in a total, but counted and listed apart, with the reason. */
export function UncountedHoldings({ uncountedTokens, uncountedNfts }: Uncounted) {
  if (uncountedTokens.length + uncountedNfts.length === 0) return null;
  return (
    <div className="space-y-3">
      {uncountedTokens.length === 0 ? null : (
        <Fold title={countOf(uncountedTokens.length, 'token', 'not counted')}>
          {uncountedTokens.map((token) => (
            <Item
              key={token.coinType}
              reason={tokenReasonWords[token.reason]}
              href={token.explorerUrl}
              type={token.coinType}
            >
              <strong>
                <bdi>{foreignText(token.symbol, 20)}</bdi>
              </strong>{' '}
              <span className="tabular-nums">
                {token.humanBalance === null
                  ? `${foreignText(token.rawBalance, 24)} base units`
                  : formatBalance(token.humanBalance)}
              </span>
            </Item>
          ))}
        </Fold>
      )}
      {uncountedNfts.length === 0 ? null : (
        <Fold title={countOf(uncountedNfts.length, 'NFT collection', 'not counted')}>
          {uncountedNfts.map((held) => (
            <Item
              key={held.collectionType}
              reason={nftReasonWords[held.reason]}
              href={held.explorerUrl}
              type={held.collectionType}
            >
              <strong>
                <bdi>{foreignText(held.name, 40)}</bdi>
              </strong>{' '}
              <span className="tabular-nums">{formatCount(held.count)}</span>
            </Item>
          ))}
        </Fold>
      )}
    </div>
  );
}

const countOf = (count: number, one: string, words: string): string =>
  `${formatCount(count)} ${one}${count === 1 ? '' : 's'} ${words}`;

function Fold({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className="slab px-6 py-4">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">{title}</summary>
      <ul className="mt-4 space-y-4">{children}</ul>
    </details>
  );
}

interface ItemProps {
  readonly reason: string;
  readonly href: string;
  readonly type: string;
  readonly children: ReactNode;
}

function Item({ reason, href, type, children }: ItemProps) {
  return (
    <li className="text-sm">
      <p className="text-base wrap-anywhere">{children}</p>
      <p className="text-quiet">
        {reason}{' '}
        <ExternalLink href={href} className="link wrap-anywhere">
          {shortType(type)}
        </ExternalLink>
      </p>
    </li>
  );
}
