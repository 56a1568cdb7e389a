import { AddressTabs } from '../../../ui/address.tsx';
import { AllAccounts } from './all-accounts.tsx';
import { OwnFactors } from './own-factors.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** One's own second factors and sessions; full admins see all accounts (docs/decisions/0039). */
export const AccountsTab = ({ seesAll }: { readonly seesAll: boolean }) => (
  <AddressTabs
    name="view"
    keep={['tab']}
    label="Accounts"
    size="small"
    tabs={[
      { value: 'factors', label: 'Second factor', subject: 'Your second factors', content: <OwnFactors /> },
      { value: 'sessions', label: 'Sessions', subject: 'Your sessions', content: <OwnSessions /> },
      ...(seesAll
        ? [{ value: 'all', label: 'All accounts', subject: 'The list of accounts', content: <AllAccounts /> }]
        : []),
    ]}
  />
);
