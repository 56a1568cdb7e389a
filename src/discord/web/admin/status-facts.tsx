import { foreignText } from '../../../shared/foreign-text.ts';
import { decimalText } from '../../../ui/decimal-text.ts';
import { Age, useAtTime } from '../../../ui/age.tsx';
import { Fact } from '../../../ui/fact.tsx';
import { isBeingTold } from './discord-calls.ts';
import type { BotInfo, DiscordStatus } from './discord-answers.ts';
import { isPast } from './status-words.ts';

interface StatusFactsProps {
  /** null: offline. */
  readonly bot: BotInfo | null;
  /** undefined: not read. */
  readonly status: DiscordStatus | undefined;
}

const wantedWords = { active: 'Online', inactive: 'Offline' } as const;

/** Specification 2: the bot's username and id; beside them what is wanted, since when, and the last error. */
export function StatusFacts({ bot, status }: StatusFactsProps) {
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
