import { memo } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import {
  allocationCategories,
  type AllocationCategory,
  type CategoryCard,
  categoryCards,
  type CategoryFact,
} from './allocation-categories.ts';
import { AllocationSwatch, ShareBar } from './allocation-patterns.tsx';
import { formatPercent } from './number-format.ts';

/** Specification 2, Treasury page, section 3: four cards. */
export const CategoryBreakdown = memo(function CategoryBreakdown() {
  return (
    <section aria-labelledby="category-breakdown" className="below-fold wrap py-12 sm:py-16">
      <SectionHeading id="category-breakdown" title="Category Breakdown">
        What each share is for, and how hard it can fall.
      </SectionHeading>
      <ul className="mt-8 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {allocationCategories.map((category) => (
          <CategoryItem key={category.name} card={categoryCards[category.name]} category={category} />
        ))}
      </ul>
    </section>
  );
});

function CategoryItem({ card, category }: { readonly card: CategoryCard; readonly category: AllocationCategory }) {
  return (
    <Card as="li" className="flex flex-col">
      <h3 className="title-3 flex items-start gap-3">
        <AllocationSwatch color={category.color} />
        <span>{category.name}</span>
      </h3>
      <p className="mt-3 text-sm text-quiet">{category.description}</p>
      {card.facts.length === 0 ? null : (
        <dl className="mt-6 space-y-3">
          {card.facts.map((fact) => (
            <Fact key={fact.name} fact={fact} />
          ))}
        </dl>
      )}
      {card.split.length === 0 ? null : (
        <ul className="mt-6 space-y-3">
          {card.split.map((part) => (
            <li key={part.name}>
              <p className="flex items-baseline justify-between gap-4">
                <span className="text-quiet">{part.name}</span>{' '}
                <span className="font-semibold">{formatPercent(part.value)}</span>
              </p>
              <ShareBar percent={part.value} color={category.color} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** A long value stands under its name, a short one beside it. */
function Fact({ fact }: { readonly fact: CategoryFact }) {
  const long = fact.value.length > 14;
  return (
    <div className={long ? '' : 'flex items-baseline justify-between gap-x-4'}>
      <dt className="text-quiet">{fact.name}</dt>
      <dd className={`font-semibold ${long ? '' : 'text-right'}`}>
        {fact.name === 'Risk' ? (
          <Badge tone={fact.value === 'HIGH' ? 'danger' : 'quiet'}>{fact.value}</Badge>
        ) : (
          fact.value
        )}
        {fact.declared ? <span className="block text-xs font-normal text-quiet">declared by the team</span> : null}
      </dd>
    </div>
  );
}
