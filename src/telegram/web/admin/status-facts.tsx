import { decimalText } from '../../../web/decimal-text.ts';
import { Age } from '../../../web/ui/age.tsx';
import { Fact } from '../../../web/ui/fact.tsx';
import { type TelegramStatus, waitingInWords } from './status-words.ts';

const wantedWords = { active: 'Active', inactive: 'Inactive' } as const;
const modeWords = { polling: 'Polling', webhook: 'Webhook' } as const;

/** Rulings R4: the wanted and the real state, the bot's name, since when, and the last error. */
export function StatusFacts({ status }: { readonly status: TelegramStatus }) {
  const { configCount, wanted, username, since, mode, lastError, state } = status;
  return (
    <dl className="mt-4">
      <Fact name="Configurations">
        <span className="font-semibold">{decimalText(configCount, { max: 0 })}</span>
      </Fact>
      {state !== 'not-configured' && (
        <>
          <Fact name="Wanted state">{wantedWords[wanted]}</Fact>
          <Fact name="Username">{username === null ? 'Not known yet' : `@${username}`}</Fact>
          <Fact name="Since">{since === null ? 'Never started' : <Age asOf={since} />}</Fact>
          <Fact name="Updates by">{modeWords[mode]}</Fact>
          <Fact name="Waiting messages">{waitingInWords(status)}</Fact>
          <Fact name="Last error">
            {lastError === null ? (
              'None'
            ) : (
              <>
                <bdi className={state === 'failing' ? 'text-danger' : 'text-quiet'}>{lastError.message}</bdi>{' '}
                <Age asOf={lastError.at} className="text-quiet" />
                {state === 'active' && <span className="text-quiet"> (over: the bot is fine now)</span>}
              </>
            )}
          </Fact>
        </>
      )}
    </dl>
  );
}
