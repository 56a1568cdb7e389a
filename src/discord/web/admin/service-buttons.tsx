import { Button } from '../../../ui/button.tsx';
import { useShutdownBot, useStartBot } from './service-mutations.ts';
import type { DiscordStatus } from './discord-answers.ts';
import { isTryingInVain } from './status-words.ts';

interface ServiceButtonsProps {
  readonly online: boolean;
  /** undefined: not read yet. */
  readonly status: DiscordStatus | undefined;
}

/** Specification 2: a Start button or a Shutdown button, depending on the state. */
export function ServiceButtons({ online, status }: ServiceButtonsProps) {
  const start = useStartBot();
  const shutdown = useShutdownBot();
  const busy = start.isPending || shutdown.isPending;
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {online ? (
        <Button look="danger" busy={shutdown.isPending} onClick={() => shutdown.mutate()}>
          Shutdown
        </Button>
      ) : (
        <Button
          look={status?.state === 'not-configured' ? 'stone' : 'torch'}
          busy={start.isPending}
          disabled={busy}
          onClick={() => start.mutate()}
        >
          Start
        </Button>
      )}
      {!online && status !== undefined && isTryingInVain(status) && (
        <Button look="ghost" busy={shutdown.isPending} disabled={busy} onClick={() => shutdown.mutate()}>
          {status.state === 'not-configured' ? 'Cancel the start' : 'Stop trying'}
        </Button>
      )}
    </div>
  );
}
