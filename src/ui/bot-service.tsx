import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { Age } from './age.tsx';
import { botServiceFields } from '../shared/answer-fields.ts';
import { instant, orUnknown, readable, time } from './api/answer-schema.ts';
import { type ApiMutation, useApiMutation } from './api/use-answer.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import type { ToastText } from './toast/toast-region.tsx';

/** How both bots' statuses are read: null means never started, or no error yet. */
export const botServiceReadings = {
  since: orUnknown(instant),
  lastError: orUnknown(z.object({ message: z.string(), at: time })),
};

const botService = readable(z.object(botServiceFields), [], botServiceReadings);
export type BotService = Omit<z.output<typeof botService>, 'username'>;
type State = Pick<BotService, 'state' | 'wanted'>;
type Health = Pick<BotService, 'state'> & Partial<Pick<BotService, 'since' | 'lastError'>>;

/** It does not run, or it has had an error since it runs: when that is over, it counts as running since then. */
export const isFailing = ({ state, since, lastError }: Health): boolean =>
  state === 'failing' || (state === 'active' && Date.parse(lastError?.at ?? '') > Date.parse(since ?? ''));

interface BotTexts {
  readonly failingWhileRunning: string;
  readonly failingToStart: string;
  /** null: nothing beyond the specification's 'Inactive' or 'Offline'. */
  readonly stopped: string | null;
}

/** Meanwhile the alarm for a bot that is down fires: most tokens are lost by mistake. */
const lostToken = 'The bot should be running but no longer has a token: set one, or cancel the start.';

/**
 * What there is to say beyond whether the bot runs (`running`; null: not known). `badge`: shown beside the specification's
 * 'Active' or 'Online' where those do not say all. `text`: what it means and what to do.
 */
export function botStateInWords(status: State & Health, running: boolean | null, texts: BotTexts) {
  const { state, wanted } = status;
  if (state === 'not-configured') return { badge: 'Not configured', text: wanted === 'active' ? lostToken : null };
  if (state === 'starting') return { badge: 'Starting', text: 'The bot is starting. This takes a few seconds.' };
  if (isFailing(status)) {
    return { badge: 'Failing', text: running === true ? texts.failingWhileRunning : texts.failingToStart };
  }
  if (state === 'inactive' && wanted === 'inactive' && running === false) return { badge: null, text: texts.stopped };
  if (wanted === 'active' && running === false) return { badge: 'Waiting to start', text: 'A start was requested.' };
  if (wanted === 'inactive' && running === true) return { badge: 'Shutting down', text: 'A shutdown was requested.' };
  return { badge: null, text: null };
}

/** A start was requested and has not succeeded: it can be called off. */
export const canCancelStart = ({ wanted }: State, running: boolean | null): boolean =>
  running === false && wanted === 'active';

interface ServiceStateProps {
  readonly status: BotService | undefined;
  readonly running: boolean | null;
  readonly texts: BotTexts;
  readonly className?: string;
  /** Whether it runs, in the specification's words. */
  readonly children: ReactNode;
}

export function ServiceState({ status, running, texts, className = '', children }: ServiceStateProps) {
  const { badge, text } = status === undefined ? { badge: null, text: null } : botStateInWords(status, running, texts);
  return (
    <>
      <p className={`flex flex-wrap items-center gap-3 ${className}`}>
        {children}
        {badge !== null && <Badge tone={status !== undefined && isFailing(status) ? 'danger' : 'stale'}>{badge}</Badge>}
      </p>
      {text !== null && <p className="mt-2 text-quiet">{text}</p>}
    </>
  );
}

/** undefined: not known, and left out. */
export function sinceInWords(since: BotService['since']): ReactNode {
  if (since === undefined) return undefined;
  return since === null ? 'Never started' : <Age asOf={since} />;
}

/** undefined: not known, and left out. */
export function lastErrorInWords(status: BotService): ReactNode {
  const { lastError } = status;
  if (lastError === undefined) return undefined;
  if (lastError === null) return 'None';
  return (
    <>
      <bdi className={isFailing(status) ? 'text-danger' : 'text-quiet'}>{lastError.message}</bdi>{' '}
      <Age asOf={lastError.at} className="text-quiet" />
    </>
  );
}

interface ServiceCall {
  readonly path: string;
  readonly button: string;
  readonly success: ToastText;
  readonly failure: ApiMutation<void>['failure'];
}

interface ServiceButtonsProps {
  readonly status: BotService | undefined;
  /** Which of the two buttons is shown (specification 2). */
  readonly isOn: boolean;
  readonly running: boolean | null;
  readonly start: ServiceCall;
  readonly shutdown: ServiceCall;
  readonly readLater?: string;
}

/** The button that starts or shuts down the bot, and one that calls off a start that does not succeed. */
export function ServiceButtons({ status, isOn, running, start, shutdown, readLater }: ServiceButtonsProps) {
  const starting = useServiceCall(start, readLater);
  const stopping = useServiceCall(shutdown, readLater);
  const busy = starting.busy || stopping.busy;
  const hasNoToken = status?.state === 'not-configured';
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {isOn ? (
        <Button look="danger" busy={stopping.busy} onClick={() => stopping.send()}>
          {shutdown.button}
        </Button>
      ) : (
        <Button
          look={hasNoToken ? 'stone' : 'torch'}
          busy={starting.busy}
          disabled={busy}
          onClick={() => starting.send()}
        >
          {start.button}
        </Button>
      )}
      {!isOn && status !== undefined && canCancelStart(status, running) && (
        <Button look="ghost" busy={stopping.busy} disabled={busy} onClick={() => stopping.send()}>
          {hasNoToken ? 'Cancel the start' : 'Stop trying'}
        </Button>
      )}
    </div>
  );
}

const useServiceCall = ({ path, success, failure }: ServiceCall, readLater?: string) =>
  useApiMutation({
    call: () => ({ method: 'POST', path }),
    success,
    failure,
    ...(readLater !== undefined && { readLater }),
  });

export const Code = ({ children }: { readonly children: string }) => (
  <code className="bg-raised px-1.5">{children}</code>
);

interface BotWithoutTokenProps {
  readonly bot: 'Discord' | 'Telegram';
  readonly variable: string;
  readonly start: string;
  /** The first step: where a token comes from. */
  readonly children: ReactNode;
}

/** Rulings R1: a bot without a token is a normal state; the page says so and how to set one. */
export const BotWithoutToken = ({ bot, variable, start, children }: BotWithoutTokenProps) => (
  <Card as="section" tone="glow" aria-labelledby="bot-without-token">
    <h2 id="bot-without-token" className="title-3">
      Give the bot a token
    </h2>
    <p className="mt-3">This installation has no token for the {bot} bot, so it cannot be started.</p>
    <ol className="mt-3 list-decimal space-y-2 pl-5">
      <li>{children}</li>
      <li>
        Set <Code>{variable}</Code> to it in the environment of the server, as <Code>README.md</Code> says.
      </li>
      <li>Start the server again, then press &lsquo;{start}&rsquo; here.</li>
    </ol>
    <p className="mt-3 text-quiet">Everything else works without it.</p>
  </Card>
);
