import { Age } from '../../../ui/age.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { kindInWords, reasonInWords, stateWords } from './delivery-words.ts';
import type { TelegramMessage } from './telegram-answers.ts';

interface DeliveryLineProps {
  readonly message: TelegramMessage;
  readonly onRetry: (message: TelegramMessage) => void;
  readonly retrying: boolean;
}

/** One message: what it told, when, and what became of it. */
export function DeliveryLine({ message, onRetry, retrying }: DeliveryLineProps) {
  const { state, preview, attempts, isDoubtful, reason, createdAt, sentAt } = message;
  const { word, tone } = stateWords(state);
  const at = sentAt ?? createdAt;
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 wrap-anywhere sm:grid-cols-[9rem_minmax(0,1fr)_auto]">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:block">
        <Badge tone={tone}>{word}</Badge>
        <p className="text-sm text-quiet sm:mt-1">{at !== null && <Age asOf={at} />}</p>
      </div>
      <div>
        <p className="text-sm text-quiet">
          {kindInWords(message)}
          {attempts !== null && attempts > 1 && `, ${attempts} attempts`}
        </p>
        <p dir="auto">{preview}</p>
        {isDoubtful === true && (
          <p className="text-sm text-stale">Doubtful: it may have arrived twice, because Telegram’s answer was lost.</p>
        )}
        {reason !== null && (
          <p className={`text-sm ${state === 'failed' ? 'text-danger' : 'text-quiet'}`}>
            <bdi>{reasonInWords(reason)}</bdi>
          </p>
        )}
      </div>
      {state === 'failed' && (
        <div>
          <Button size="small" busy={retrying} onClick={() => onRetry(message)}>
            Retry
          </Button>
        </div>
      )}
    </li>
  );
}
