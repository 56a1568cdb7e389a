import { Badge, StatusDot } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { InviteLink } from './invite-link.tsx';
import { NotConfigured } from './not-configured.tsx';
import { outageText } from './outage-words.ts';
import { ServiceButtons } from './service-buttons.tsx';
import { StatusFacts } from './status-facts.tsx';
import { stateInWords } from './status-words.ts';
import type { Bot } from './use-bot.ts';

/** Specification 2, community-server bot tab, sub-tab 'Bot Status'. */
export function BotStatus({ bot }: { readonly bot: Bot }) {
  const hasNoToken = bot.status.data?.state === 'not-configured';
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card as="section" aria-labelledby="discord-status" aria-busy={bot.isFetching}>
        <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 id="discord-status" className="title-3 flex-1">
            Bot Status
          </h2>
          <Button size="small" busy={bot.isFetching} onClick={bot.refresh}>
            Refresh Status
          </Button>
        </div>
        {bot.isStatusMissing && <QueryTrouble text="Failed to load bot status" query={bot.status} />}
        {bot.isPending ? <LoadingLines count={5} lineClassName="h-7 w-full" /> : <Known bot={bot} />}
      </Card>
      {hasNoToken && <NotConfigured />}
      {bot.bot?.invite_url != null && <InviteLink url={bot.bot.invite_url} />}
    </div>
  );
}

function Known({ bot: { bot, status, outage, isStatusMissing } }: { readonly bot: Bot }) {
  const words = status.data === undefined ? null : stateInWords(status.data);
  const inTrouble = status.data?.state === 'failing';
  const online = bot !== null;
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <Badge tone={online ? 'live' : 'unavailable'}>
          <StatusDot state={inTrouble ? 'trouble' : online ? 'on' : 'off'} pulsing={online} />
          {online ? 'Online' : 'Offline'}
        </Badge>
        {words?.badge != null && <Badge tone={inTrouble ? 'danger' : 'stale'}>{words.badge}</Badge>}
      </p>
      {words?.text != null && <p className="mt-2 text-quiet">{words.text}</p>}
      {outage !== null && !isStatusMissing && (
        <p role="alert" className="mt-2 text-danger wrap-anywhere">
          {outageText(outage)}
        </p>
      )}
      <StatusFacts bot={bot} status={status.data} />
      <ServiceButtons online={online} status={status.data} />
    </>
  );
}
