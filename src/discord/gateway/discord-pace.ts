import { retryPace } from '../../bot-service/bot-runner.ts';

/** Tests shorten these. */
export const discordPace = {
  ...retryPace,
  /** From the first attempt to the first ready shard, and from each shard to the next: they start one after the other. */
  readyWithinMs: 20_000,
  /** Shorter drops are not reported. */
  quietDropMs: 3_000,
  /** After this long without any shard, new connections are made; ten times as long while others are connected. */
  longestDropMs: 30_000,
  /** How long Start and Shutdown wait for the switch. */
  settleMs: 10_000,
  /** Delay before storing Discord's events is retried. */
  rewriteMs: 5_000,
  /** Discord's time to answer one request for members. */
  membersWithinMs: 15_000,
  /** How long a verify panel that was found is assumed to exist. */
  panelsBelievedForMs: 30_000,
  /** Delay before refused commands are registered again: Discord counts refusals too. */
  registerAgainMs: 60_000,
};
export type DiscordPace = Readonly<typeof discordPace>;
export type ConnectionPace = Pick<DiscordPace, 'readyWithinMs' | 'quietDropMs' | 'longestDropMs'>;
