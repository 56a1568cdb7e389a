import type { ReactNode } from 'react';
import { Age } from '../../ui/age.tsx';
import { instantInWords } from '../../ui/age-in-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { shortType } from '../../shared/sui-address.ts';
import {
  deviationTexts,
  lineStateText,
  paidNotKnownYet,
  type PayoutState,
  shownState,
  stateNames,
} from '../core/payout-words.ts';
import type { ShownLine, ShownPayout } from './payouts-answer.ts';

const tones = { draft: 'quiet', published: 'torch', paying: 'torch', paid: 'gain', withdrawn: 'quiet' } as const;

interface PayoutBadgeProps {
  readonly of: { readonly state: PayoutState | null; readonly withdrawn: object | null };
}

export function PayoutBadge({ of }: PayoutBadgeProps) {
  const state = shownState(of);
  if (state === null) return <span className="text-quiet">State not known</span>;
  return <Badge tone={tones[state]}>{stateNames[state]}</Badge>;
}

const lineTones = { open: 'quiet', paid: 'gain', 'paid-otherwise': 'danger', 'paid-twice': 'danger' } as const;

/** The state of a line, as far as the chain was read. */
export const LineBadge = ({ state, of }: Pick<ShownLine, 'state'> & { readonly of: ShownPayout }) =>
  state === null ? (
    <span className="text-quiet">Not known</span>
  ) : (
    <Badge tone={lineTones[state]}>{lineStateText(state, of)}</Badge>
  );

/** The type, because any coin may call itself USDC. */
export const CoinType = ({ type }: { readonly type: string }) => (
  <code className="wrap-anywhere" title={type}>
    {shortType(type)}
  </code>
);

/** As of when the payments are known. */
export const AsOf = ({ asOf }: { readonly asOf: string | null }) => (
  <p className="mt-4 text-quiet">
    <Age asOf={asOf} before="As of " none={paidNotKnownYet} />
  </p>
);

interface DeviationsProps {
  readonly payout: Pick<ShownPayout, 'lines' | 'strays'>;
  /** Shown under the sentences. */
  readonly children?: ReactNode;
}

/** What is not paid as planned; nothing if all is. */
export function Deviations({ payout: { lines, strays }, children }: DeviationsProps) {
  const texts = lines === null ? [] : deviationTexts({ lines, strays: strays.length });
  if (texts.length === 0) return null;
  return (
    <div role="alert" className="my-4 border-l-4 border-danger py-1 pl-4 text-danger">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {children}
    </div>
  );
}

/** The exact time, the same for every reader. */
export const PayoutDay = ({ at }: { readonly at: string | null }) =>
  at === null ? <span className="text-quiet">Not known</span> : <time dateTime={at}>{instantInWords(at)}</time>;
