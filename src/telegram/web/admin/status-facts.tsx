import { decimalText } from '../../../ui/decimal-text.ts';
import { Age } from '../../../ui/age.tsx';
import { Fact } from '../../../ui/fact.tsx';
import { waitingInWords } from './status-words.ts';
import type { TelegramStatus } from './telegram-answers.ts';

const wantedWords = { active: 'Active', inactive: 'Inactive' } as const;
const modeWords = { polling: 'Polling', webhook: 'Webhook' } as const;

/** Rulings R4: the wanted and the real state, the bot's name, since when, and the last error. What is not known is left out. */
export function StatusFacts({ status }: { readonly status: TelegramStatus }) {
  const { configCount, wanted, username, since, mode, state, pendingCount } = status;
  return (
    <dl className="mt-4">
      <Fact name="Configurations">
        <span className="font-semibold">
          {configCount === null ? 'Not known' : decimalText(configCount, { max: 0 })}
        </span>
      </Fact>
      {state !== 'not-configured' && (
        <>
          {wanted !== null && <Fact name="Wanted state">{wantedWords[wanted]}</Fact>}
          {username !== undefined && (
            <Fact name="Username">{username === null ? 'Not known yet' : `@${username}`}</Fact>
          )}
          {since !== undefined && <Fact name="Since">{since === null ? 'Never started' : <Age asOf={since} />}</Fact>}
          {mode !== null && <Fact name="Updates by">{modeWords[mode]}</Fact>}
          {pendingCount !== null && <Fact name="Waiting messages">{waitingInWords(status)}</Fact>}
          <LastError status={status} />
        </>
      )}
    </dl>
  );
}

function LastError({ status: { lastError, state } }: { readonly status: TelegramStatus }) {
  if (lastError === undefined) return null;
  if (lastError === null) return <Fact name="Last error">None</Fact>;
  return (
    <Fact name="Last error">
      <bdi className={state === 'failing' ? 'text-danger' : 'text-quiet'}>{lastError.message}</bdi>{' '}
      {lastError.at !== null && <Age asOf={lastError.at} className="text-quiet" />}
      {state === 'active' && <span className="text-quiet"> (over: the bot is fine now)</span>}
    </Fact>
  );
}
