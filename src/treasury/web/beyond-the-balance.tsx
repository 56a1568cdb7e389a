import { memo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { amountText, notKnownYet } from '../../payouts/core/payout-words.ts';
import { foreignText } from '../../shared/foreign-text.ts';
import { Age } from '../../ui/age.tsx';
import { list, rows, time } from '../../ui/api/answer-schema.ts';
import { usePublicAnswer } from '../../ui/api/use-public-answer.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ExternalLink } from '../../ui/links.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import type { FigureState } from '../contract.ts';
import { restOfUncounted } from '../core/uncounted-list.ts';
import { nftReasonWords, abbreviatedType, tokenReasonWords } from './holdings-rows.ts';
import { formatBalance, formatCount } from './number-format.ts';
import type { ShownTreasury, UncountedNfts, UncountedToken } from './treasury-answer.ts';
import { TargetAllocation, ThreeTotals, ValuePerRock } from './treasury-totals.tsx';

export const BeyondTheBalance = memo(function BeyondTheBalance({
  snapshot,
}: {
  readonly snapshot: ShownTreasury | null;
}) {
  return (
    <section aria-labelledby="beyond-the-balance" className="below-fold wrap py-12 sm:py-16">
      <SectionHeading id="beyond-the-balance" title="Beyond the balance">
        The proof behind the figures above.
      </SectionHeading>
      <div className="mt-8 space-y-6">
        {snapshot !== null && (
          <div className="grid gap-6 lg:grid-cols-3">
            <div className="lg:col-span-2">
              <ThreeTotals snapshot={snapshot} />
            </div>
            <ValuePerRock value={snapshot.valuePerRock} figure={snapshot.figures?.valuePerRock ?? null} />
          </div>
        )}
        <div className="grid items-start gap-6 lg:grid-cols-2">
          {snapshot?.allocation && (
            <TargetAllocation allocation={snapshot.allocation} figure={snapshot.figures?.allocation ?? null} />
          )}
          <div className="space-y-6">
            <Distributed />
            <WhatTheMarksMean />
            {snapshot !== null && <UncountedHoldings snapshot={snapshot} />}
          </div>
        </div>
      </div>
    </section>
  );
});

const coin = z.object({ type: z.string(), symbol: z.string(), decimals: z.number() });
const distributed = z.object({
  asOf: time,
  payouts: rows(z.object({})),
  distributed: list(z.object({ coin, raw: z.string() })),
});

/** Rulings R9: what holders of rocks have received, added up from the chain alone. */
function Distributed() {
  const { data, isError } = usePublicAnswer('/api/payouts', distributed, { everyMs: 300_000 });
  return (
    <Card as="section" aria-labelledby="distributed">
      <SectionHeading id="distributed" title="Distributed so far" level={3} />
      {data === undefined && <p className="mt-4 text-unavailable">{isError ? 'Not known right now' : 'Loading...'}</p>}
      {data?.distributed.length === 0 && (
        <p className="mt-4 text-2xl font-semibold">
          {data.asOf === null && data.payouts?.length !== 0 ? notKnownYet : 'Nothing yet'}
        </p>
      )}
      {data?.distributed.map(({ coin: of, raw }) => (
        <p key={of.type} className="mt-4 text-2xl font-semibold tabular-nums wrap-anywhere">
          <bdi>{amountText(raw, of)}</bdi>
        </p>
      ))}
      <p className="mt-3 text-quiet">
        What the addresses of all published payouts have received, according to the transactions on chain
        <Age asOf={data?.asOf} before=" as of " />
        <span>. Distributions are discretionary and not guaranteed.</span>
      </p>
      <p className="mt-4">
        <LinkButton to="/payouts">All payouts</LinkButton>
      </p>
    </Card>
  );
}

const stateMeanings = {
  live: 'Read within twice its refresh interval. Prices carry their source’s time, some minutes before they were read.',
  stale: 'The last good value. Newer readings failed or have not arrived, or the source itself gives an old price.',
  estimated: 'From a source that gives no confidence, or not yet confirmed by a second read.',
  unavailable: 'Never read. No value is shown in its place.',
} as const satisfies Readonly<Record<FigureState, string>>;

function WhatTheMarksMean() {
  return (
    <Card as="section" aria-labelledby="what-the-marks-mean">
      <SectionHeading id="what-the-marks-mean" title="What the marks mean" level={3} />
      <dl className="mt-3 grid gap-2 text-sm">
        {(Object.keys(stateMeanings) as FigureState[]).map((state) => (
          <div key={state} className="grid grid-cols-[8rem_1fr] items-start gap-x-3">
            <dt>
              <StateBadge state={state} />
            </dt>
            <dd className="text-quiet">{stateMeanings[state]}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Rulings R3: never part of a total, but counted and listed separately, with the reason. */
function UncountedHoldings({ snapshot }: { readonly snapshot: ShownTreasury }) {
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
  readonly what: string;
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
          {abbreviatedType(type)}
        </ExternalLink>
      )}
    </p>
  </li>
);
