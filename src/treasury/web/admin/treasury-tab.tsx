import { foreignText } from '../../../shared/foreign-text.ts';
import { AddressTabs } from '../../../ui/address.tsx';
import { Facts } from '../../../ui/card.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { Answered } from '../../../ui/query-trouble.tsx';
import { LedgerSums } from '../ledger-facts.tsx';
import { Amounts } from './amounts.tsx';
import { Names } from './names.tsx';
import { Notes } from './notes.tsx';
import { useTreasuryStatus } from './treasury-calls.ts';

/** Rulings R8: how far the past is read, whether it adds up, and the team's words on it. */
export const TreasuryTab = () => (
  <AddressTabs
    name="view"
    keep={['tab']}
    label="Treasury"
    size="small"
    tabs={[
      { value: 'status', label: 'Status', subject: 'The state of the treasury', content: <Status /> },
      { value: 'movements', label: 'Movements', subject: 'The list of movements', content: <Notes /> },
      { value: 'names', label: 'Names', subject: 'The list of names', content: <Names /> },
      { value: 'amounts', label: 'Amounts', subject: 'The list of declared amounts', content: <Amounts /> },
    ]}
  />
);

function Status() {
  const query = useTreasuryStatus();
  const shown = (history: { readonly text: string | null } | null): string =>
    history?.text == null ? 'Not known' : foreignText(history.text, 80);
  return (
    <Panel id="treasury-status" title="What is read" query={query}>
      <Answered query={query} failure="Failed to load the state of the treasury" loading={<LoadingLines count={3} />}>
        {({ ledger, rocks, coins, proofCheckpoint }) => (
          <>
            <Facts
              className="mb-6 grid gap-x-10 lg:grid-cols-2"
              of={{ Movements: shown(ledger), Rocks: shown(rocks) }}
            />
            {coins !== null && <LedgerSums coins={coins} proofCheckpoint={proofCheckpoint} />}
          </>
        )}
      </Answered>
    </Panel>
  );
}
