import { DataTable } from '../../ui/tables.tsx';
import type { ShownCoinSum } from './ledger-answer.ts';
import { coinName, numberText, signedAmountText } from './movement-words.ts';

const named = (coin: ShownCoinSum) => <bdi>{coinName(coin)}</bdi>;

/** Rulings R8: opening + in - out = closing, beside what the chain says now. A difference is in sight, never spread. */
export function LedgerSums({ coins }: { readonly coins: readonly ShownCoinSum[] }) {
  if (coins.length === 0) return null;
  const wrong = coins.filter(({ unexplainedRaw }) => unexplainedRaw !== null && unexplainedRaw !== '0');
  const isProven = coins.every(({ unexplainedRaw }) => unexplainedRaw === '0');
  const cell = (coin: ShownCoinSum, raw: string | null): string => (raw === null ? '–' : numberText({ ...coin, raw }));
  return (
    <div className="mb-6">
      <DataTable
        caption="Sums of all movements"
        rows={coins}
        keyOf={({ coinType }) => coinType}
        columns={[
          { name: 'Coin', cell: named },
          { name: 'Opening', cell: (coin) => cell(coin, coin.openingRaw), numeric: true },
          { name: '+ in', cell: (coin) => cell(coin, coin.inRaw), numeric: true },
          { name: '− out', cell: (coin) => cell(coin, coin.outRaw), numeric: true },
          { name: '= closing', cell: (coin) => cell(coin, coin.closingRaw), numeric: true },
          { name: 'On chain now', cell: (coin) => cell(coin, coin.chainRaw), numeric: true },
        ]}
      />
      {isProven && <p className="mt-2 text-quiet">Every coin adds up to what is on the chain now, to the last unit.</p>}
      {wrong.map((coin) => (
        <p
          key={coin.coinType}
          role="alert"
          className="mt-2 border-l-4 border-danger py-1 pl-4 text-danger wrap-anywhere"
        >
          {`Unexplained: ${signedAmountText({ ...coin, raw: coin.unexplainedRaw ?? '0' })}. The chain has that more or less than the movements say.`}
        </p>
      ))}
    </div>
  );
}
