import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import { Line, Lines } from '../../../ui/panel.tsx';
import type { GuildStatistics } from './discord-answers.ts';
import { useRefreshGuilds } from './discord-calls.ts';
import { actionInWords, shownMember } from './member-words.ts';

type Failed = NonNullable<GuildStatistics['failedActions']>[number];

/** What Discord refused, with its fix, and a retry button. */
export function FailedActions({ actions }: { readonly actions: readonly Failed[] }) {
  const { send, busy, sending } = useApiMutation<string>({
    call: (id) => ({ method: 'POST', path: `/api/discord/actions/${encodeURIComponent(id)}/retry` }),
    success: { title: 'Queued again', description: 'It will be tried again shortly.' },
    failure: 'Retry Failed',
    refresh: useRefreshGuilds(),
  });
  const retryButton = (id: string, name: string) => (
    <Button size="small" about={`for ${name}`} busy={sending === id} disabled={busy} onClick={() => send(id)}>
      Retry
    </Button>
  );
  return (
    <section className="mt-6" aria-labelledby="discord-failures">
      <h3 id="discord-failures" className="font-bold">
        What Discord refused
      </h3>
      <Lines labelledBy="discord-failures" className="mt-2">
        {actions.map(({ id, kind, member, at, failure }, index) => {
          const name = member === null ? 'a member' : shownMember(member);
          return (
            <Line key={id ?? index} end={id !== null && retryButton(id, name)}>
              <p>
                <span className="font-semibold">{actionInWords(kind)}</span>: <bdi title={member?.userId}>{name}</bdi>{' '}
                {at !== null && <Age asOf={at} className="text-sm text-quiet" />}
              </p>
              {failure !== null && <p className="text-sm text-danger">{failure}</p>}
            </Line>
          );
        })}
      </Lines>
    </section>
  );
}
