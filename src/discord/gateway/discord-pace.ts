import { type RetryPace, retryPace } from '../../platform/bot-service/bot-runner.ts';

/** How long a connection may take; tests make it quicker. */
export interface ConnectionPace {
  /** From the first attempt to the first shard that is ready, and from each shard to the next one: they begin one after the other. */
  readonly readyWithinMs: number;
  /** A drop that is mended so soon is nobody's business. */
  readonly quietDropMs: number;
  /** After so long without any shard new connections are made instead; ten times as long while others are connected. */
  readonly longestDropMs: number;
}

export interface DiscordPace extends RetryPace, ConnectionPace {
  /** How long Start and Shutdown wait until it is so. */
  readonly settleMs: number;
  /** After so long what Discord told and could not be written down is tried again. */
  readonly rewriteMs: number;
  /** Within so long Discord answers one request for members. */
  readonly membersWithinMs: number;
  /** For so long a verify panel that was found is taken to be there. */
  readonly panelsBelievedForMs: number;
  /** After so long the commands are registered again, where Discord did not take them: it counts what it refuses. */
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
