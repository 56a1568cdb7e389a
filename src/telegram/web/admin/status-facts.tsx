import type { ReactNode } from 'react';
import { decimalText } from '../../../web/decimal-text.ts';
import { Age } from '../../../web/ui/age.tsx';
import { type TelegramStatus, waitingInWords } from './status-words.ts';

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** One line of a list of facts: its name, then what is known. */
export function Fact({ name, children }: FactProps) {
  return (
    <div className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-4 border-t border-line py-2">
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}

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
          <Fact name="Asked for">{wantedWords[wanted]}</Fact>
          <Fact name="Username">{username === null ? 'Not known yet' : `@${username}`}</Fact>
          <Fact name="Since">{since === null ? 'Never started' : <Age asOf={since} />}</Fact>
          <Fact name="Updates by">{modeWords[mode]}</Fact>
          <Fact name="Waiting messages">{waitingInWords(status)}</Fact>
          <Fact name="Last error">
            {lastError === null ? (
              'None'
            ) : (
              <>
                <bdi className={state === 'failing' ? 'text-danger' : ''}>{lastError.message}</bdi>{' '}
                <Age asOf={lastError.at} className="text-quiet" />
              </>
            )}
          </Fact>
        </>
      )}
    </dl>
  );
}
