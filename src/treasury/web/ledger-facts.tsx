import type * as z from 'zod/mini';
import { accountLink } from '../../shared/explorer-links.ts';
import { foreignText } from '../../shared/foreign-text.ts';
import { shortAddress } from '../../shared/sui-address.ts';
import { Age } from '../../ui/age.tsx';
import { readable } from '../../ui/api/answer-schema.ts';
import { ExternalLink, PageLink, TransactionLink } from '../../ui/links.tsx';
import { Problem } from '../../ui/placeholders.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';
import { DataTable } from '../../ui/tables.tsx';
import { wordsMax } from '../core/ledger-words.ts';
import { ledgerAnswer } from '../ledger-contract.ts';
import { coinName, kindNames, numberText, objectTexts, roleWords, signedAmountText } from './movement-words.ts';
import { formatUsd } from './number-format.ts';

/** The sum of a coin is left out without one of these. */
export const coinSumNeeds = [
  'coinType',
  'openingRaw',
  'inRaw',
  'outRaw',
  'closingRaw',
  'chainRaw',
  'unexplainedRaw',
] as const;

/** What the page uses of GET /api/treasury/ledger (rulings R8). null: unknown. */
export const ledgerPage = readable(ledgerAnswer, [
  ...coinSumNeeds,
  'coins',
  'entries',
  'digest',
  'address',
  'changes',
  'raw',
  'text',
]);
export type ShownLedger = z.output<typeof ledgerPage>;
export type ShownMovement = ShownLedger['entries'][number];
type ShownCoinSum = ShownLedger['coins'][number];

const nameCell = (coin: ShownCoinSum) => <bdi>{coinName(coin)}</bdi>;

/** Rulings R8: opening + in - out = closing, beside the balance on chain at the last comparison. A difference is shown, never spread. */
export function LedgerSums({
  coins,
  proofCheckpoint,
}: Pick<ShownLedger, 'proofCheckpoint'> & { readonly coins: readonly ShownCoinSum[] }) {
  const checkpoint = proofCheckpoint === null ? '' : ` at checkpoint ${proofCheckpoint}`;
  if (coins.length === 0) return null;
  const wrong = coins.flatMap(({ unexplainedRaw: raw, ...coin }) =>
    raw === null || raw === '0' ? [] : [{ ...coin, raw }],
  );
  const isProven = coins.every(({ unexplainedRaw }) => unexplainedRaw === '0');
  const cell = (coin: ShownCoinSum, raw: string | null): string => (raw === null ? '–' : numberText({ ...coin, raw }));
  return (
    <div className="mb-6">
      <DataTable
        caption="Sums of all movements"
        rows={coins}
        keyOf={({ coinType }) => coinType}
        columns={[
          { name: 'Coin', cell: nameCell },
          { name: 'Opening', cell: (coin) => cell(coin, coin.openingRaw), numeric: true },
          { name: '+ in', cell: (coin) => cell(coin, coin.inRaw), numeric: true },
          { name: '− out', cell: (coin) => cell(coin, coin.outRaw), numeric: true },
          { name: '= closing', cell: (coin) => cell(coin, coin.closingRaw), numeric: true },
          { name: `On chain${checkpoint}`, cell: (coin) => cell(coin, coin.chainRaw), numeric: true },
        ]}
      />
      {isProven && (
        <p className="mt-2 text-quiet">Every coin adds up to what was on the chain{checkpoint}, to the last unit.</p>
      )}
      {wrong.map((difference) => (
        <Problem key={difference.coinType} className="mt-2 border-l-4 border-danger py-1 pl-4 text-danger">
          {`Unexplained: ${signedAmountText(difference)}. The chain holds ${difference.raw.startsWith('-') ? 'less' : 'more'} than the movements add up to.`}
        </Problem>
      ))}
    </div>
  );
}

/** One movement: the facts from the chain, then the team's note. */
export function MovementFacts({ movement }: { readonly movement: ShownMovement }) {
  const { kind, payout, changes, usdAtTime, at, explorerUrl, note } = movement;
  const name = kind === null ? 'Movement' : kindNames[kind];
  const amounts = changes.map(signedAmountText).join(', ');
  const objects = objectTexts(movement).join(', ');
  return (
    <>
      <p className="font-semibold wrap-anywhere">
        {name}{' '}
        <span className="tabular-nums">
          <bdi>{amounts}</bdi>
        </span>
        {objects !== '' && <span>{amounts === '' ? objects : `, ${objects}`}</span>}
      </p>
      <p className="rock-event-line">
        {payout !== null && (
          <PageLink to={`/payouts/${payout}`} className="link">
            Payout {payout}
          </PageLink>
        )}
        <Counterparty of={movement} />
        {usdAtTime !== null && <span className="tabular-nums">worth {formatUsd(usdAtTime)} then</span>}
        <Age asOf={at} none="Time not known" className="text-quiet" />
        {explorerUrl !== null && <TransactionLink href={explorerUrl} of={name} />}
      </p>
      {note !== null && (
        <p className="rock-event-line wrap-anywhere">
          <span className="min-w-0">
            Team&rsquo;s note: <bdi>{foreignText(note.text, wordsMax.note)}</bdi>
          </span>
          {note.link !== null && (
            <ExternalLink typed href={note.link}>
              More<span className="sr-only"> about: {foreignText(note.text, 60)}</span>
            </ExternalLink>
          )}
        </p>
      )}
    </>
  );
}

function Counterparty({ of: { counterparty } }: { readonly of: ShownMovement }) {
  const { explorerUrl } = useSiteConfig();
  if (counterparty === null) return null;
  const { address, name, role } = counterparty;
  const shown = <bdi>{name === null ? shortAddress(address) : foreignText(name, 60)}</bdi>;
  return (
    <span className="wrap-anywhere">
      with{' '}
      {role === 'holder' ? (
        <PageLink to={`/holders/${address}`} className="link" title={address}>
          {shown}
        </PageLink>
      ) : (
        <ExternalLink href={accountLink(explorerUrl, address)} title={address}>
          {shown}
        </ExternalLink>
      )}
      {role !== null && ` (${roleWords[role]})`}
    </span>
  );
}
