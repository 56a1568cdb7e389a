import { useRef } from 'react';
import { foreignText } from '../../../shared/foreign-text.ts';
import { ViewTabs } from '../../../ui/address-bar.tsx';
import { useAtTime } from '../../../ui/age.tsx';
import { Badge, StatusDot } from '../../../ui/badge.tsx';
import {
  BotWithoutToken,
  Code,
  lastErrorInWords,
  ServiceButtons,
  ServiceState,
  sinceInWords,
} from '../../../ui/bot-service.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { wholeNumberOrUnknown } from '../../../ui/decimal-text.ts';
import { Panel } from '../../../ui/panel.tsx';
import { LoadingLines, Problem } from '../../../ui/placeholders.tsx';
import { QueryError } from '../../../ui/query-error.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useCopy } from '../../../ui/toast/toast-provider.tsx';
import type { BotInfo, DiscordStatus } from './discord-answers.ts';
import { type Bot, guildsPath, isBeingListed, useBot, useGuilds } from './discord-calls.ts';
import { Servers } from './servers.tsx';

export const stateTexts = {
  failingWhileRunning: 'The bot is online, but Discord refuses requests or does not answer. The bot keeps retrying.',
  failingToStart: 'The bot should be online but cannot connect. The last error says why, and what to do.',
  stopped:
    'The bot is stopped: it does not answer anyone or change roles. ‘Start’ brings it online, and then its servers are listed under ‘Servers’. Any details below are from its last run.',
};

/** Specification 8. */
const start = {
  path: '/api/discord/init',
  button: 'Start',
  success: { title: 'Bot initialized', description: 'Discord bot is now online' },
  failure: 'Failed to initialize bot',
};
const shutdown = {
  path: '/api/discord/shutdown',
  button: 'Shutdown',
  success: { title: 'Bot shutdown', description: 'Discord bot is now offline' },
  failure: 'Failed to shutdown bot',
};

/** Specification 2, community-server bot tab. */
export function DiscordTab() {
  const bot = useBot();
  const guilds = useGuilds(bot);
  const servers = <Servers bot={bot} query={guilds} />;
  return (
    <ViewTabs
      label="Discord Bot"
      tabs={[
        { value: 'status', label: 'Bot Status', subject: 'The bot status', content: <BotStatus bot={bot} /> },
        { value: 'servers', label: 'Servers', subject: 'The list of servers', content: servers },
      ]}
    />
  );
}

interface OfBot {
  readonly bot: Bot;
}

/** Specification 2, sub-tab 'Bot Status'. */
const BotStatus = ({ bot }: OfBot) => (
  <div className="grid items-start gap-6 lg:grid-cols-2">
    <Panel
      id="discord-status"
      title="Bot Status"
      query={{ isFetching: bot.isFetching, refetch: bot.refresh }}
      refreshText="Refresh Status"
    >
      {bot.isStatusMissing && <QueryError text="Failed to load bot status" query={bot.status} />}
      {bot.isPending ? <LoadingLines count={5} lineClassName="h-7 w-full" /> : <Known bot={bot} />}
    </Panel>
    {bot.status.data?.state === 'not-configured' && (
      <BotWithoutToken bot="Discord" variable="DISCORD_BOT_TOKEN" start="Start">
        Create an application with a bot at <Code>discord.com/developers</Code>, turn on its Server Members Intent and
        copy the bot&rsquo;s token.
      </BotWithoutToken>
    )}
    {bot.info?.invite_url != null && <InviteLink url={bot.info.invite_url} />}
  </div>
);

function Known({ bot: { info, status: statusQuery, outage, isStatusMissing } }: OfBot) {
  const status = statusQuery.data;
  const isListing = useAtTime((nowMs) => isBeingListed(status, nowMs), false);
  const isOn = info !== null;
  const running = status?.online ?? null;
  const onOrOff = isOn ? 'on' : 'off';
  return (
    <>
      <ServiceState status={status} running={running} texts={stateTexts}>
        <Badge tone={isOn ? 'live' : 'unavailable'}>
          <StatusDot state={status?.state === 'failing' ? 'trouble' : onOrOff} pulsing={isOn} />
          {isOn ? 'Online' : 'Offline'}
        </Badge>
      </ServiceState>
      <Problem>{isStatusMissing ? null : outage}</Problem>
      <Facts className="mt-4" of={{ ...ownFacts(info, status), ...serviceFacts(status, isListing) }} />
      {/* Specification 7: the list of servers is fetched when it is next needed. */}
      <ServiceButtons {...{ status, isOn, running, start, shutdown }} readLater={guildsPath} />
    </>
  );
}

const wantedWords = { active: 'Online', inactive: 'Offline' };

/** Specification 2: the bot's username and id. `info`: null, offline. */
function ownFacts(info: BotInfo | null, status: DiscordStatus | undefined) {
  const username = info?.username ?? status?.username;
  const id = info?.id ?? status?.id;
  return {
    Username: username == null ? 'Not known yet' : <bdi>{foreignText(username, 40)}</bdi>,
    ID: id == null ? 'Not known yet' : <code>{id}</code>,
  };
}

function serviceFacts(status: DiscordStatus | undefined, isListing: boolean) {
  if (status === undefined || status.state === 'not-configured') return {};
  const { online, guildCount, since, wanted, state, lastError } = status;
  const servers = guildCount === 0 && isListing ? 'Discord is still listing them' : wholeNumberOrUnknown(guildCount);
  // A past error is shown as past.
  const isPast = lastError !== null && state !== 'failing';
  return {
    'Wanted state': wanted && wantedWords[wanted],
    Since: sinceInWords(since),
    Servers: online === true && guildCount !== null && servers,
    [isPast ? 'Earlier error' : 'Last error']: lastErrorInWords(status),
  };
}

/** Specification 2: the invite URL, read-only, with Copy. */
function InviteLink({ url }: { readonly url: string }) {
  const field = useRef<HTMLInputElement>(null);
  const refused = 'The browser did not allow it. The URL is selected, so you can copy it yourself.';
  const copy = useCopy(url, 'Invite URL copied to clipboard', refused, () => field.current?.select());
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
