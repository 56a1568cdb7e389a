import { allocationPlan } from '../core/allocation.ts';

/** A chart color of the design tokens and, with it, the slice's pattern. */
export type ChartColor = 'chart-1' | 'chart-2' | 'chart-3' | 'chart-4';

/** One line of a category card. `declared`: stated by the team, without proof on chain (rulings R3). */
export interface CategoryFact {
  readonly name: string;
  readonly value: string;
  readonly declared: boolean;
}

interface CategoryCard {
  readonly color: ChartColor;
  readonly description: string;
  readonly facts: readonly CategoryFact[];
  /** Percent of the category. */
  readonly split?: readonly { readonly name: string; readonly value: number }[];
}

const fact = (name: string, value: string, declared = false): CategoryFact => ({ name, value, declared });

/** Specification 9, category cards: exactly these. */
const cards: Readonly<Record<(typeof allocationPlan)[number]['name'], CategoryCard>> = {
  'Leveraged Trading': {
    color: 'chart-1',
    description: 'Futures positions on a centralized exchange, opened and closed by the team.',
    facts: [
      fact('Risk', 'Medium-High'),
      fact('Status', 'Fundraising', true),
      fact('Platform', 'Centralized exchange (API-tracked)'),
    ],
  },
  'SUI NFT Treasury': {
    color: 'chart-2',
    description: 'NFTs of SUI collections, swept from the market and held in the treasury wallet.',
    facts: [fact('Risk', 'Medium')],
  },
  Operations: {
    color: 'chart-3',
    description: 'Marketing, development and the founder share: what keeps the cave lit.',
    facts: [],
    split: [
      { name: 'Marketing', value: 60 },
      { name: 'Development', value: 25 },
      { name: 'Founder Share', value: 15 },
    ],
  },
  'Degen Plays': {
    color: 'chart-4',
    description: 'Small, early and very risky tokens, sized so that losing all of it is survivable.',
    facts: [fact('Risk', 'HIGH'), fact('Plays', '3', true), fact('Win rate', '66.66%', true)],
  },
};

/** Specification 3: the categories of the plan as the page shows them. `value` is a percent. */
export const allocationCategories = allocationPlan.map(({ name, targetPercent: value, focus }) => ({
  name,
  value,
  focus,
  ...cards[name],
}));

export type AllocationCategory = (typeof allocationCategories)[number];
type Focus = AllocationCategory['focus'];

export const categoriesOf = (focus: Focus): readonly AllocationCategory[] =>
  allocationCategories.filter((category) => category.focus === focus);

/** 80 for the investment focus, 20 for operations (specification 9). */
export const focusPercent = (focus: Focus): number =>
  categoriesOf(focus).reduce((sum, category) => sum + category.value, 0);

const tile = 12;

interface Stone {
  readonly fill: string;
  /** Tells slices apart without color: bare stone, hatching, strata, pebbles. */
  readonly mark: string;
  readonly stroke: string;
}

const thin = 'stroke-slab/40 stroke-[1.5]';
const stones: Readonly<Record<ChartColor, Stone>> = {
  'chart-1': { fill: 'fill-chart-1', mark: '', stroke: thin },
  'chart-2': { fill: 'fill-chart-2', mark: 'M-3,3l6,-6M0,12l12,-12M9,15l6,-6', stroke: thin },
  'chart-3': { fill: 'fill-chart-3', mark: 'M0,3h12M0,9h12', stroke: thin },
  'chart-4': { fill: 'fill-chart-4', mark: 'M3,3h0.01M9,9h0.01', stroke: 'stroke-slab/60 stroke-[3]' },
};

const patternId = (color: ChartColor): string => `slice-${color}`;

/** Needs `AllocationPatterns` once on the page. */
export const patternFill = (color: ChartColor): string => `url(#${patternId(color)})`;

/**
 * The fills of the pie, its legend and its chips: a chart color under a mark. Outside the sections, because the browser skips a section
 * that is far off screen (`below-fold`), along with fills that other sections need.
 */
export function AllocationPatterns() {
  return (
    <svg className="absolute size-0" aria-hidden="true">
      <defs>
        {allocationCategories.map(({ color }) => (
          <pattern key={color} id={patternId(color)} width={tile} height={tile} patternUnits="userSpaceOnUse">
            <rect width={tile} height={tile} className={stones[color].fill} />
            <path d={stones[color].mark} fill="none" strokeLinecap="round" className={stones[color].stroke} />
          </pattern>
        ))}
      </defs>
    </svg>
  );
}

const bareStone = 'fill-quiet';

/** A chip with the fill of a slice, for lists. */
export const AllocationSwatch = ({ color }: { readonly color: ChartColor | null }) => (
  <svg viewBox="0 0 24 24" className="mt-0.5 size-6 shrink-0" aria-hidden="true">
    <path
      d="M6,1 L19,2 L23,11 L20,21 L9,23 L1,16 L2,6 Z"
      {...(color === null ? { className: bareStone } : { fill: patternFill(color) })}
    />
  </svg>
);

interface ShareBarProps {
  readonly percent: number;
  readonly color: ChartColor | null;
  /** The target of the plan, drawn as a notch; null: none. */
  readonly targetPercent?: number | null;
}

/** Decoration: the numbers are beside it. */
export const ShareBar = ({ percent, color, targetPercent = null }: ShareBarProps) => (
  <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="mt-1.5 block h-2.5 w-full" aria-hidden="true">
    <rect y="2" width="100" height="6" className="fill-line" />
    <rect
      y="2"
      width={Math.max(0, Math.min(percent, 100))}
      height="6"
      className={color === null ? bareStone : stones[color].fill}
    />
    {targetPercent !== null && (
      <path d={`M${targetPercent},0V10`} className="fill-none stroke-ink stroke-2 [vector-effect:non-scaling-stroke]" />
    )}
  </svg>
);
