import { useRef } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { Age, useAtTime } from '../../../ui/age.tsx';
import { Badge, StatusDot } from '../../../ui/badge.tsx';
import { BotWithoutToken } from '../../../ui/bot-without-token.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, Fact } from '../../../ui/card.tsx';
import { decimalText } from '../../../ui/decimal-text.ts';
import { LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-provider.tsx';
import type { BotInfo, DiscordStatus } from './discord-answers.ts';
import { type Bot, isBeingTold } from './discord-calls.ts';
import { ServiceButtons } from './service-buttons.tsx';
import { isPast, outageText, stateInWords } from './status-words.ts';

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

interface StatusFactsProps {
  /** null: offline. */
  readonly bot: BotInfo | null;
  /** undefined: not read. */
  readonly status: DiscordStatus | undefined;
}

const wantedWords = { active: 'Online', inactive: 'Offline' } as const;

/** Specification 2: the bot's username and id; beside them what is wanted, since when, and the last error. */
function StatusFacts({ bot, status }: StatusFactsProps) {
  const [username, id] = [bot?.username ?? status?.username, bot?.id ?? status?.id];
  return (
    <dl className="mt-4">
      <Fact name="Username">{username == null ? 'Not known yet' : <bdi>{foreignText(username, 40)}</bdi>}</Fact>
      <Fact name="ID">{id == null ? 'Not known yet' : <code>{id}</code>}</Fact>
      {status !== undefined && status.state !== 'not-configured' && <OfService status={status} />}
    </dl>
  );
}

function OfService({ status }: { readonly status: DiscordStatus }) {
  const beingTold = useAtTime((nowMs) => isBeingTold(status, nowMs), false);
  return (
    <>
      {status.wanted !== null && <Fact name="Wanted state">{wantedWords[status.wanted]}</Fact>}
      {status.since !== undefined && (
        <Fact name="Since">{status.since === null ? 'Never started' : <Age asOf={status.since} />}</Fact>
      )}
      {status.online === true && status.guildCount !== null && (
        <Fact name="Servers">
          {status.guildCount === 0 && beingTold
            ? 'Discord is still listing them'
            : decimalText(status.guildCount, { max: 0 })}
        </Fact>
      )}
      <LastError status={status} />
    </>
  );
}

/** Once it is over it is history, and says so. */
function LastError({ status }: { readonly status: DiscordStatus }) {
  const { lastError } = status;
  if (lastError === undefined) return null;
  if (lastError === null) return <Fact name="Last error">None</Fact>;
  const isOver = isPast(status);
  return (
    <Fact name={isOver ? 'Earlier error' : 'Last error'}>
      <bdi className={isOver ? 'text-quiet' : 'text-danger'}>{lastError.message}</bdi>{' '}
      {lastError.at !== null && <Age asOf={lastError.at} className="text-quiet" />}
    </Fact>
  );
}

/** Specification 2: the invite URL, read-only, with Copy. */
function InviteLink({ url }: { readonly url: string }) {
  const field = useRef<HTMLInputElement>(null);
  const showToast = useToast();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(url);
      showToast({ title: 'Copied!', description: 'Invite URL copied to clipboard' });
    } catch {
      // Without a secure connection or the permission the browser copies nothing for us.
      field.current?.select();
      showToast({
        look: 'destructive',
        title: 'Not copied',
        description: 'The browser did not allow it. The URL is selected, so you can copy it yourself.',
      });
    }
  };
  return (
    <Card as="section" aria-labelledby="discord-invite">
      <h2 id="discord-invite" className="title-3 mb-4">
        Invite the bot to a server
      </h2>
      <TextField
        ref={field}
        label="Invite URL"
        readOnly
        value={url}
        hint="Open it to choose a server. Then configure the server here under ‘Servers’ and use /setup in the server to choose the role and channel."
        onFocus={({ target }) => target.select()}
        end={
          <button type="button" className="field-end" onClick={() => void copy()}>
            Copy
          </button>
        }
      />
    </Card>
  );
}

function NotConfigured() {
  return (
    <BotWithoutToken bot="Discord" variable="DISCORD_BOT_TOKEN" start="Start">
      Create an application with a bot at <code className="bg-raised px-1.5">discord.com/developers</code>, turn on its
      Server Members Intent and copy the bot&rsquo;s token.
    </BotWithoutToken>
  );
}
