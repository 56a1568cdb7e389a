import { useLocation } from 'wouter';
import { shortAddress } from '../../../shared/sui-address.ts';
import { Button } from '../../../ui/button.tsx';
import { rockColors } from '../../../shared/rock-colors.ts';
import { noFilters, type RockFilters, type RockSort, searchOf } from './rock-filters.ts';

const sortNames: Readonly<Record<RockSort, string>> = {
  number: 'By number',
  price: 'Cheapest first',
  recent: 'Last moved first',
};

/** Filters and order, kept in the address. Another choice begins at the first page. */
export function FilterBar({ filters }: { readonly filters: RockFilters }) {
  const [path, navigate] = useLocation();
  const choose = (change: Partial<RockFilters>): void =>
    navigate(`${path}${searchOf({ ...filters, page: 1, ...change })}`);
  return (
    <form className="rock-filters needs-script" aria-label="Which rocks" onSubmit={(event) => event.preventDefault()}>
      <label className="rock-filter">
        <span>Color</span>
        <select value={filters.color ?? ''} onChange={({ target }) => choose({ color: target.value || null })}>
          <option value="">All colors</option>
          {rockColors.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <label className="rock-filter">
        <span>Order</span>
        <select value={filters.sort} onChange={({ target }) => choose({ sort: target.value as RockSort })}>
          {Object.entries(sortNames).map(([sort, name]) => (
            <option key={sort} value={sort}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="rock-check">
        <input
          type="checkbox"
          checked={filters.isListed}
          onChange={({ target }) => choose({ isListed: target.checked })}
        />
        For sale
      </label>
      {filters.owner !== null && (
        <Button size="small" onClick={() => choose({ owner: null })}>
          Owner {shortAddress(filters.owner)}: show all
        </Button>
      )}
      {searchOf({ ...filters, page: 1, sort: 'number' }) !== '' && (
        <Button look="ghost" size="small" onClick={() => choose({ ...noFilters, sort: filters.sort })}>
          Clear filters
        </Button>
      )}
    </form>
  );
}
