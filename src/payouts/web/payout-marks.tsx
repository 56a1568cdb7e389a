import { instantInWords } from '../../ui/age-in-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { lineStateNames, stateNames } from '../core/payout-words.ts';
import type { ShownLine, ShownSummary } from './payouts-answer.ts';

const tones = { published: 'torch', paying: 'torch', paid: 'gain', withdrawn: 'quiet' } as const;

/** In which state a payout is. */
export const PayoutBadge = ({ state }: Pick<ShownSummary, 'state'>) =>
  state === null ? (
    <span className="text-quiet">Not known</span>
  ) : (
    <Badge tone={tones[state]}>{stateNames[state]}</Badge>
  );

const lineTones = { open: 'quiet', paid: 'gain', 'paid-otherwise': 'danger', 'paid-twice': 'danger' } as const;

/** What became of a line. */
export const LineBadge = ({ state }: Pick<ShownLine, 'state'>) =>
  state === null ? (
    <span className="text-quiet">Not known</span>
  ) : (
    <Badge tone={lineTones[state]}>{lineStateNames[state]}</Badge>
  );

/** The exact time, the same for every reader. */
export const PayoutDay = ({ at }: { readonly at: string | null }) =>
  at === null ? <span className="text-quiet">Not known</span> : <time dateTime={at}>{instantInWords(at)}</time>;
