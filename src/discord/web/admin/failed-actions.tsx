import { Age } from '../../../ui/age.tsx';
import { useApiMutation } from '../../../ui/api/use-api-mutation.ts';
import { Button } from '../../../ui/button.tsx';
import type { GuildStatistics } from './discord-answers.ts';
import { useRefreshGuilds } from './discord-calls.ts';
import { actionInWords, shownMember } from './member-words.ts';

type Failed = NonNullable<GuildStatistics['failedActions']>[number];

/** What Discord refused, with its fix, and the way to try again. */
export function FailedActions({ actions }: { readonly actions: readonly Failed[] }) {
  const retry = useRetry();
  return (
    <section className="mt-6" aria-labelledby="discord-failures">
      <h3 id="discord-failures" className="font-bold">
        What Discord refused
      </h3>
      <ul aria-labelledby="discord-failures" className="mt-2 divide-y divide-line border-t border-line">
        {actions.map((action, index) => (
          <li key={action.id ?? index} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
            <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
              <p>
                <span className="font-semibold">{actionInWords(action.kind)}</span>:{' '}
                <bdi title={action.member?.userId}>{nameIn(action)}</bdi>{' '}
                {action.at !== null && <Age asOf={action.at} className="text-sm text-quiet" />}
              </p>
              {action.failure !== null && <p className="text-sm text-danger">{action.failure}</p>}
            </div>
            {action.id !== null && (
              <Button
                size="small"
                busy={retry.isPending && retry.variables === action.id}
                disabled={retry.isPending}
                onClick={() => retry.mutate(action.id ?? '')}
              >
                Retry<span className="sr-only"> for {nameIn(action)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameIn = ({ member }: Failed): string => (member === null ? 'a member' : shownMember(member));

/** POST /api/discord/actions/{actionId}/retry. */
function useRetry() {
  const refresh = useRefreshGuilds();
  return useApiMutation<string>({
    call: (id) => ({ method: 'POST', path: `/api/discord/actions/${encodeURIComponent(id)}/retry` }),
    success: () => ({ title: 'Queued again', description: 'It will be tried again shortly.' }),
    failure: (message) => {
      refresh();
      return { title: 'Retry Failed', description: message };
    },
    onDone: refresh,
  });
}
