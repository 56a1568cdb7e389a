import { Age } from '../../ui/age.tsx';
import { instantInWords } from '../../ui/age-in-words.ts';
import { Badge } from '../../ui/badge.tsx';
import { lineStateText, stateNames } from '../core/payout-words.ts';
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

/** What became of a line, as far as the chain was read. */
export const LineBadge = ({ state, asOf }: Pick<ShownLine, 'state'> & { readonly asOf: string | null }) =>
  state === null ? (
    <span className="text-quiet">Not known</span>
  ) : (
    <Badge tone={lineTones[state]}>{lineStateText(state, asOf)}</Badge>
  );

/** Of when it is what the chain says of payments. */
export const AsOf = ({ asOf }: { readonly asOf: string | null }) => (
  <p className="mt-4 text-quiet">
    {asOf === null ? (
      'The chain was not read up to now yet: what is paid is not known.'
    ) : (
      <>
        As of <Age asOf={asOf} />
      </>
    )}
  </p>
);

/** The exact time, the same for every reader. */
export const PayoutDay = ({ at }: { readonly at: string | null }) =>
  at === null ? <span className="text-quiet">Not known</span> : <time dateTime={at}>{instantInWords(at)}</time>;
