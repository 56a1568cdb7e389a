import { useState } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { Card } from '../../../ui/card.tsx';
import { GoneNote } from '../../../ui/placeholders.tsx';
import { useAddressDetail } from '../../../ui/use-address.ts';
import { ConfigurationDialogs } from './configuration-dialogs.tsx';
import { shownChat, shownCollection } from './configuration-view.ts';
import { ConfigurationsList } from './configurations-list.tsx';
import { DeletedConfigurations } from './deleted-configurations.tsx';
import { Deliveries } from './deliveries.tsx';
import { type OpenDialog, useOpenDialog } from './open-dialog.ts';
import type { useTelegramConfigurations } from './telegram-calls.ts';

type ConfigurationsQuery = ReturnType<typeof useTelegramConfigurations>;

/** Specification 2, group-chat bot tab, sub-tab 'Configurations'. */
export function Configurations({ query }: { readonly query: ConfigurationsQuery }) {
  const { dialog, open, close, vanished } = useOpenDialog(query.data);
  const deliveries = useAddressDetail('deliveries');
  // The search outlives a look at the deliveries of one of its finds.
  const [filter, setFilter] = useState({ search: '', troubledOnly: false, page: 0 });
  const shown = query.data?.find(({ id }) => id === deliveries.openId);
  return (
    <div className="grid gap-6">
      {shown === undefined ? (
        <>
          <Card as="section" aria-labelledby="telegram-configurations" aria-busy={query.isFetching}>
            {vanished !== null && <Vanished dialog={vanished} />}
            {query.data !== undefined && deliveries.openId !== null && <NoSuch id={deliveries.openId} />}
            <ConfigurationsList
              query={query}
              filter={filter}
              onFilter={setFilter}
              onOpen={open}
              onDeliveries={deliveries.show}
              lastShownId={deliveries.lastShownId}
            />
          </Card>
          <DeletedConfigurations />
        </>
      ) : (
        <Deliveries key={shown.id} configuration={shown} onBack={deliveries.close} />
      )}
      <ConfigurationDialogs dialog={dialog} onClose={close} />
    </div>
  );
}

function NoSuch({ id }: { readonly id: string }) {
  return (
    <GoneNote>
      There is no configuration <bdi>{foreignText(id, 20)}</bdi>, so there are no deliveries to show: it was deleted or
      replaced, or the address is wrong.
    </GoneNote>
  );
}

function Vanished({ dialog }: { readonly dialog: OpenDialog }) {
  const { configuration } = dialog;
  return (
    <GoneNote>
      <bdi>{shownCollection(configuration)}</bdi> in <bdi>{shownChat(configuration)}</bdi> was deleted by somebody else,
      so its dialog was closed.
    </GoneNote>
  );
}
