import { memo } from 'react';
import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';
import { allocationCategories, categoriesOf, focusPercent, operationsSplit } from './allocation-categories.ts';
import { AllocationSwatch } from './allocation-patterns.tsx';
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
      <AllocationTable />
    </section>
  );
});

function BoxTitle({ name, percent }: { readonly name: string; readonly percent: number }) {
  return (
    <h3 className="title-3 flex flex-wrap items-baseline justify-between gap-x-4">
      <span>{name}</span> <span className="tabular-nums">{formatPercent(percent)}</span>
    </h3>
  );
}

function InvestmentBox() {
  return (
    <Card>
      <BoxTitle name="Investment Focus" percent={focusPercent('investment')} />
      <ul className="mt-4 space-y-4">
        {categoriesOf('investment').map((category) => (
          <li key={category.name} className="grid grid-cols-[auto_1fr_auto] gap-x-3">
            <AllocationSwatch color={category.color} />
            <span>
              <span className="font-semibold">{category.name}</span>
              <span className="block text-sm text-quiet">{category.description}</span>
            </span>
            <span className="font-semibold tabular-nums">{formatPercent(category.value)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function OperationsBox() {
  return (
    <Card>
      <BoxTitle name="Operations" percent={focusPercent('operations')} />
      {categoriesOf('operations').map((category) => (
        <p key={category.name} className="mt-4 grid grid-cols-[auto_1fr] gap-x-3">
          <AllocationSwatch color={category.color} />
          <span className="text-sm text-quiet">
            {category.description} Split: {operationsSplit.map((part) => `${part.name} ${part.value}%`).join(', ')}.
          </span>
        </p>
      ))}
    </Card>
  );
}

/** The same as a table, for whoever reads better in rows. */
function AllocationTable() {
  return (
    <details className="mt-8">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">Fund allocation as a table</summary>
      <table className="table mt-3">
        <caption className="sr-only">Fund allocation</caption>
        <thead>
          <tr>
            <th scope="col">Category</th>
            <th scope="col">Share</th>
            <th scope="col">What it is</th>
          </tr>
        </thead>
        <tbody>
          {allocationCategories.map((category) => (
            <tr key={category.name}>
              <th scope="row">{category.name}</th>
              <td className="tabular-nums">{formatPercent(category.value)}</td>
              <td>{category.description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
