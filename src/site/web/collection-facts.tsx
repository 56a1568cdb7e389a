import * as z from 'zod/mini';
import { mistOf, suiNumber } from '../../shared/money.ts';
import { figureState } from '../../shared/answer-fields.ts';
import { number, orNull, time } from '../../ui/api/answer-schema.ts';
import { usePublicAnswer } from '../../ui/api/use-public-answer.ts';
import { type ShownState, StateBadge } from '../../ui/badge.tsx';
import { wholeNumberText } from '../../ui/decimal-text.ts';
import { Skeleton } from '../../ui/placeholders.tsx';
import { ServerSnapshot } from '../../ui/server-written.tsx';

/** The part of GET /api/collection that pages show. */
const collectionFacts = z.object({
  mintedCount: number,
  maxSupply: number,
  floorSui: number,
  holderCount: number,
  asOf: time,
  state: orNull(figureState),
});
type Facts = z.infer<typeof collectionFacts>;

/** Rulings R3: a fact that is not known is left out, never invented. */
const knownFacts = ({ mintedCount, floorSui, holderCount, maxSupply }: Facts): readonly FigureProps[] =>
  [
    mintedCount !== null && {
      label: 'Minted',
      value: wholeNumberText(mintedCount),
      ...(maxSupply !== null && { unit: `of ${maxSupply}` }),
    },
    floorSui !== null && { label: 'Floor', value: suiNumber(mistOf(floorSui)), unit: 'SUI' },
    holderCount !== null && { label: 'Holders', value: wholeNumberText(holderCount) },
  ].filter((fact) => fact !== false);

const awaited = ['Minted', 'Floor', 'Holders'];

/** Minted, floor and holders with the age of the reading. It takes the same room while loading, known and unknown. */
export function CollectionFacts() {
  const { data: facts, isError } = usePublicAnswer('/api/collection', collectionFacts);
  return (
    <>
      <section className="facts needs-script" aria-label="The collection right now">
        {facts === undefined && !isError && awaited.map((label) => <Figure key={label} label={label} value={null} />)}
        {facts !== undefined && <KnownFacts facts={facts} />}
        {isError && facts === undefined && (
          <p className="text-quiet">Live collection figures are unavailable right now.</p>
        )}
      </section>
      <ServerSnapshot of="collection" />
    </>
  );
}

function KnownFacts({ facts }: { readonly facts: Facts }) {
  const { state, asOf, mintedCount, maxSupply } = facts;
  const known = knownFacts(facts);
  if (known.length === 0) return <p className="text-quiet">Live collection figures are not known yet.</p>;
  return (
    <>
      {known.map((fact, index) => (
        <Figure key={fact.label} {...fact} {...(index === 0 && state !== null ? { state, asOf } : {})} />
      ))}
      {mintedCount !== null && maxSupply !== null && <MintVein share={Math.min(1, mintedCount / maxSupply)} />}
    </>
  );
}

/** How far the mint is, as a vein in the rock. The words beside it say the same. */
function MintVein({ share }: { readonly share: number }) {
  return (
    <svg viewBox="0 0 400 12" preserveAspectRatio="none" className="mint-vein" aria-hidden="true">
      <path d="M0 3 60 1 150 4 260 2 340 4 400 2V10L330 9 240 11 140 9 50 11 0 9Z" />
      <clipPath id="minted">
        <rect width={400 * share} height="12" />
      </clipPath>
      <path clipPath="url(#minted)" d="M0 3 60 1 150 4 260 2 340 4 400 2V10L330 9 240 11 140 9 50 11 0 9Z" />
    </svg>
  );
}

interface FigureProps {
  readonly label: string;
  /** The number as it is shown; null: loading, and its room is reserved. */
  readonly value: string | null;
  readonly unit?: string;
  readonly state?: ShownState;
  readonly asOf?: string | null;
}

/** A group named after its label. */
const Figure = (figure: FigureProps) => (
  <fieldset aria-label={figure.label} className="figure figure-large">
    <FigureLines {...figure} />
  </fieldset>
);

/** A number with its unit, state and age; its height is the same in every state. */
export const FigureLines = ({ label, value, unit, state, asOf = null }: FigureProps) => (
  <>
    <p className="figure-label">{label}</p>
    <p className="figure-value">
      {value === null ? (
        <>
          <Skeleton className="my-[0.2em] h-[0.8em] w-[4.5em]" />
          <span className="sr-only">Loading...</span>
        </>
      ) : (
        <>
          <span>{value}</span>
          {unit !== undefined && <span className="figure-unit"> {unit}</span>}
        </>
      )}
    </p>
    <div className="figure-state">{state !== undefined && <StateBadge state={state} asOf={asOf} />}</div>
  </>
);
