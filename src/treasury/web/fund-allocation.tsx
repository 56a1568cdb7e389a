import { memo } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import {
  allocationCategories,
  type AllocationCategory,
  AllocationSwatch,
  categoriesOf,
  type CategoryFact,
  focusPercent,
  ShareBar,
} from './allocation-categories.tsx';
import { AllocationPie } from './allocation-pie.tsx';
import { formatPercent } from './number-format.ts';

/** Specification 2, Treasury page, section 2: the plan as a pie beside its two boxes. */
export const FundAllocation = memo(function FundAllocation() {
  return (
    <section aria-labelledby="fund-allocation" className="below-fold wrap py-12 sm:py-16">
      <SectionHeading id="fund-allocation" title="Fund Allocation">
        The plan: how every SUI that reaches the treasury is meant to be split.
      </SectionHeading>
      <div className="mt-8 grid items-center gap-8 lg:grid-cols-2 lg:gap-16">
        <AllocationPie />
        <div className="grid gap-4">
          <InvestmentBox />
          <OperationsBox />
        </div>
      </div>
    </section>
  );
});

const BoxTitle = ({ name, percent }: { readonly name: string; readonly percent: number }) => (
  <h3 className="title-3 flex flex-wrap items-baseline justify-between gap-x-4">
    <span>{name}</span> <span className="tabular-nums">{formatPercent(percent)}</span>
  </h3>
);

const InvestmentBox = () => (
  <Card>
    <BoxTitle name="Investment Focus" percent={focusPercent('investment')} />
    <ul className="mt-4 space-y-4">
      {categoriesOf('investment').map(({ name, color, description, value }) => (
        <li key={name} className="grid grid-cols-[auto_1fr_auto] gap-x-3">
          <AllocationSwatch color={color} />
          <span>
            <span className="font-semibold">{name}</span>
            <span className="block text-sm text-quiet">{description}</span>
          </span>
          <span className="font-semibold tabular-nums">{formatPercent(value)}</span>
        </li>
      ))}
    </ul>
  </Card>
);

const OperationsBox = () => (
  <Card>
    <BoxTitle name="Operations" percent={focusPercent('operations')} />
    {categoriesOf('operations').map(({ name, color, description, split = [] }) => (
      <p key={name} className="mt-4 grid grid-cols-[auto_1fr] gap-x-3">
        <AllocationSwatch color={color} />
        <span className="text-sm text-quiet">
          {description} Split: {split.map((part) => `${part.name} ${part.value}%`).join(', ')}.
        </span>
      </p>
    ))}
  </Card>
);

/** Specification 2, Treasury page, section 3: four cards. */
export const CategoryBreakdown = memo(function CategoryBreakdown() {
  return (
    <section aria-labelledby="category-breakdown" className="below-fold wrap py-12 sm:py-16">
      <SectionHeading id="category-breakdown" title="Category Breakdown">
        What each share is for, and how hard it can fall.
      </SectionHeading>
      <ul className="mt-8 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {allocationCategories.map((category) => (
          <CategoryItem key={category.name} category={category} />
        ))}
      </ul>
    </section>
  );
});

function CategoryItem({ category }: { readonly category: AllocationCategory }) {
  const { name, color, description, facts, split = [] } = category;
  return (
    <Card as="li" className="flex flex-col">
      <h3 className="title-3 flex items-start gap-3">
        <AllocationSwatch color={color} />
        <span>{name}</span>
      </h3>
      <p className="mt-3 text-sm text-quiet">{description}</p>
      {facts.length > 0 && (
        <dl className="mt-6 space-y-3">
          {facts.map((fact) => (
            <Fact key={fact.name} fact={fact} />
          ))}
        </dl>
      )}
      {split.length > 0 && (
        <ul className="mt-6 space-y-3">
          {split.map((part) => (
            <li key={part.name}>
              <p className="flex items-baseline justify-between gap-4">
                <span className="text-quiet">{part.name}</span>{' '}
                <span className="font-semibold">{formatPercent(part.value)}</span>
              </p>
              <ShareBar percent={part.value} color={color} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** A long value goes under its name, a short one beside it. */
function Fact({ fact: { name, value, declared } }: { readonly fact: CategoryFact }) {
  const isLong = value.length > 14;
  return (
    <div className={isLong ? '' : 'flex items-baseline justify-between gap-x-4'}>
      <dt className="text-quiet">{name}</dt>
      <dd className={`font-semibold ${isLong ? '' : 'text-right'}`}>
        {name === 'Risk' ? <Badge tone={value === 'HIGH' ? 'danger' : 'quiet'}>{value}</Badge> : value}
        {declared && <span className="block text-xs font-normal text-quiet">declared by the team</span>}
      </dd>
    </div>
  );
}
