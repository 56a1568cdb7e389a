import { type RetryPace, retryPace } from '../../bot-service/bot-runner.ts';

/** Connection timings; tests shorten them. */
export interface ConnectionPace {
  /** From the first attempt to the first ready shard, and from each shard to the next: they start one after the other. */
  readonly readyWithinMs: number;
  /** Shorter drops are not reported. */
  readonly quietDropMs: number;
  /** After this long without any shard, new connections are made; ten times as long while others are connected. */
  readonly longestDropMs: number;
}

export interface DiscordPace extends RetryPace, ConnectionPace {
  /** How long Start and Shutdown wait for the switch. */
  readonly settleMs: number;
  /** Delay before storing Discord's events is retried. */
  readonly rewriteMs: number;
  /** Discord's time to answer one request for members. */
  readonly membersWithinMs: number;
  /** How long a verify panel that was found is assumed to exist. */
  readonly panelsBelievedForMs: number;
  /** Delay before refused commands are registered again: Discord counts refusals too. */
  readonly registerAgainMs: number;
}

export const discordPace: DiscordPace = {
  ...retryPace,
  readyWithinMs: 20_000,
  quietDropMs: 3_000,
  longestDropMs: 30_000,
  settleMs: 10_000,
  rewriteMs: 5_000,
  membersWithinMs: 15_000,
  panelsBelievedForMs: 30_000,
  registerAgainMs: 60_000,
};
