import { useRef } from 'react';
import { shortType } from '../../../shared/sui-address.ts';
import { Button } from '../../../ui/button.tsx';
import { Problem } from '../../../ui/placeholders.tsx';
import { SelectField, TextArea, TextField } from '../../../ui/text-field.tsx';
import { amountText, coinName, amountModes, payoutWords, rockList } from '../../core/payout-words.ts';
import { CoinType } from '../payout-marks.tsx';
import { type DraftValues, type DraftProblems, inOrder, type LeftOutRow, withRow } from './draft-values.ts';
import type { TreasuryCoin } from './payouts-calls.ts';

interface DraftFieldsProps {
  readonly form: DraftValues;
  readonly coins: readonly TreasuryCoin[];
  readonly problems: DraftProblems;
  /** Rocks whose owner is not known, which stop the plan. */
  readonly unowned: readonly number[];
  readonly onType: (typed: Partial<DraftValues>) => void;
}

export function DraftFields({ form, coins, problems, unowned, onType }: DraftFieldsProps) {
  const { title, reason, leftOut } = form;
  return (
    <div className="grid content-start gap-5">
      <MoneyFields {...{ form, coins, problems, onType }} />
      <LeftOutRows rows={leftOut} problems={problems} unowned={unowned} onRows={(rows) => onType({ leftOut: rows })} />
      <TextField
        label="Title"
        maxLength={payoutWords.title}
        hint="What holders read first, such as ‘October 2026’."
        value={title}
        error={problems.title}
        autoComplete="off"
        onText={(text) => onType({ title: text })}
      />
      <TextArea
        label="Reason"
        maxLength={payoutWords.reason}
        hint={`Where the money comes from, in up to ${payoutWords.reason} characters. Everybody can read it; a payout is discretionary, not guaranteed: promise nothing.`}
        value={reason}
        error={problems.reason}
        onText={(text) => onType({ reason: text })}
      />
    </div>
  );
}

const modeWords: Readonly<Record<DraftValues['mode'], string>> = {
  total: 'in total, shared equally',
  'per-rock': 'for each rock',
};

function MoneyFields({ form: { coinType, mode, amount }, coins, problems, onType }: Omit<DraftFieldsProps, 'unowned'>) {
  const coin = coins.find(({ type }) => type === coinType);
  const choices = Object.fromEntries(
    inOrder(coins).map((each) => [each.type, `${coinName(each)}: ${amountText(each.balanceRaw, each)}`]),
  );
  return (
    <>
      <SelectField
        label="Coin"
        value={coinType}
        error={problems.coin}
        hint={
          <>
            The treasury has {coin === undefined ? 'none of it' : amountText(coin.balanceRaw, coin)}.{' '}
            <CoinType type={coinType} />
          </>
        }
        options={coin === undefined ? { [coinType]: shortType(coinType), ...choices } : choices}
        onText={(type) => onType({ coinType: type })}
      />
      <div className="grid items-start gap-x-4 gap-y-5 sm:grid-cols-2">
        <TextField
          label="Amount"
          inputMode="decimal"
          placeholder="1234.5"
          value={amount}
          error={problems.amount}
          autoComplete="off"
          onText={(text) => onType({ amount: text })}
        />
        <SelectField
          label="Paid out"
          value={mode}
          options={modeWords}
          onText={(value) => onType({ mode: amountModes.find((each) => each === value) ?? mode })}
        />
      </div>
    </>
  );
}

interface LeftOutRowsProps extends Pick<DraftFieldsProps, 'problems' | 'unowned'> {
  readonly rows: readonly LeftOutRow[];
  readonly onRows: (rows: readonly LeftOutRow[]) => void;
}

/** Who the payout leaves out besides the treasury, and why. */
function LeftOutRows({ rows, problems, unowned, onRows }: LeftOutRowsProps) {
  const changed = (key: number, next: Partial<LeftOutRow>): void =>
    onRows(rows.map((row) => (row.key === key ? { ...row, ...next } : row)));
  const group = useRef<HTMLFieldSetElement>(null);
  /** For a button that disappears when pressed: the focus moves to the button that adds a row. */
  const change = (next: readonly LeftOutRow[]): void => {
    onRows(next);
    group.current?.querySelector<HTMLElement>(':scope > button')?.focus();
  };
  return (
    <fieldset ref={group}>
      <legend className="mb-1.5 block text-[0.9375rem] font-semibold">Left out</legend>
      <p className="mt-1.5 text-[0.875rem] text-quiet">
        The treasury’s own rocks are never paid. Anyone else left out is published with the reason, as are rocks without
        a known owner.
      </p>
      <Problem>{problems['left-out']}</Problem>
      {rows.map((row, index) => {
        const { who, reason } = problems.rows?.get(row.key) ?? {};
        return (
          <div key={row.key} className="mt-3 grid gap-3 border-l-4 border-line pl-4">
            <TextField
              label={`Left out ${index + 1}`}
              placeholder="0x… or #2"
              value={row.who}
              error={who}
              autoComplete="off"
              spellCheck={false}
              onText={(text) => changed(row.key, { who: text })}
            />
            <TextField
              label={`Reason ${index + 1}`}
              maxLength={payoutWords.leftOutReason}
              value={row.reason}
              error={reason}
              autoComplete="off"
              onText={(text) => changed(row.key, { reason: text })}
            />
            <Button
              size="small"
              className="justify-self-start"
              about={`left out ${index + 1}`}
              onClick={() => change(rows.filter(({ key }) => key !== row.key))}
            >
              Remove
            </Button>
          </div>
        );
      })}
      <Button size="small" className="mt-3" onClick={() => onRows(withRow(rows))}>
        Leave out an address or rocks
      </Button>
      {unowned.length > 0 && (
        <Button size="small" className="mt-3 ml-3" onClick={() => change(withRow(rows, rockList(unowned)))}>
          Leave out {unowned.length === 1 ? `rock ${unowned[0]}` : `${unowned.length} rocks without a known owner`}
        </Button>
      )}
    </fieldset>
  );
}
