import type { AlarmRule, Facts, AlarmState } from './alarm.ts';

const minuteMs = 60_000;
const well: AlarmState = { kind: 'well' };

const failingOver =
  (figure: string, limitSeconds: number) =>
  (facts: Facts): AlarmState => {
    const seconds = facts.figures[figure];
    if (seconds === undefined) return { kind: 'unknown' };
    if (seconds === null || seconds <= limitSeconds) return well;
    return { kind: 'failing', since: new Date(facts.now.getTime() - seconds * 1_000) };
  };

const failingWhileAny =
  (figure: string) =>
  (facts: Facts): AlarmState => {
    const count = facts.figures[figure];
    if (count === undefined) return { kind: 'unknown' };
    return (count ?? 0) > 0 ? { kind: 'failing', since: null } : well;
  };

/** Overdue work of a bot is reported only while the bot runs. An alarm about it does not end because the bot fails or was shut down. */
const whileRunning =
  (bot: 'telegram' | 'discord', stateOf: AlarmRule['stateOf']) =>
  (facts: Facts): AlarmState =>
    facts.figures[`${bot}_bot_running`] === 1 ? stateOf(facts) : { kind: 'unknown' };

const lastErrorText = (error: string | null): string => (error === null ? '' : ` Its last error: ${error}`);

const botRule = (bot: 'telegram' | 'discord', name: string, meaning: string): AlarmRule => ({
  alarm: `${bot}-bot`,
  settleMs: 2 * minuteMs,
  stateOf: (facts) => {
    const running = facts.figures[`${bot}_bot_running`];
    if (running === undefined) return { kind: 'unknown' };
    return running === 0 ? { kind: 'failing', since: null } : well;
  },
  what: ({ lastErrors }) => `The ${name} bot does not run.${lastErrorText(lastErrors[bot])}`,
  meaning,
  whereToLook: `The tab '${name} Bot' of the admin area says why. For a refused token, set another one in the environment and restart; for a conflict, stop the other program that uses the same token.`,
  over: (facts) => `The ${name} bot ${facts.figures[`${bot}_bot_running`] === null ? 'was shut down' : 'runs again'}.`,
});

type Source = 'chain' | 'marketplace' | 'prices';

/** A source that was never read fails once this copy has run for the limit; until then a restart must not look like a recovery. */
function readingState({ now, startedAt, sources, sourceLimitMs }: Facts, source: Source): AlarmState {
  const reading = sources.find((each) => each.source === source);
  if (reading === undefined) return well;
  const since = reading.readAt ?? startedAt;
  if (now.getTime() - since.getTime() > sourceLimitMs) return { kind: 'failing', since };
  return reading.readAt === null ? { kind: 'unknown' } : well;
}

const sourceRule = (source: Source, name: string, meaning: string): AlarmRule => ({
  alarm: `source-${source}`,
  stateOf: (facts) => readingState(facts, source),
  what: () => `${name} cannot be read.`,
  meaning,
  whereToLook:
    'The log says why, once for each reason, and /metrics how often (upstream_call_seconds). There is nothing to do if the outage is theirs; figures recover by themselves.',
  over: () => `${name} can be read again.`,
});

/** An alarm that depends on a source is raised only while the source can be read, and an outage of the source does not end it. */
const whileRead =
  (source: Source, stateOf: AlarmRule['stateOf']) =>
  (facts: Facts): AlarmState =>
    readingState(facts, source).kind === 'well' ? stateOf(facts) : { kind: 'unknown' };

/**
 * Everything the owner is notified of, except the database itself (owner-alarm.ts). No limit is shorter
 * than in deploy/alerts.yaml: an operator watches the metrics, the owner hears of what lasts.
 */
export const alarmRules: readonly AlarmRule[] = [
  sourceRule('chain', 'The chain', 'The treasury page is not updated, and says so; roles are neither given nor taken.'),
  sourceRule(
    'marketplace',
    'The marketplace',
    'Floor prices are not updated, and no group hears about mints, sales, listings or bids until it answers.',
  ),
  sourceRule('prices', 'The price service', 'US dollar values are not updated, and say so.'),
  botRule(
    'telegram',
    'Telegram',
    'Groups get no notifications and no answers. What happens meanwhile is posted once it runs again.',
  ),
  botRule('discord', 'Discord', 'Nobody can verify, and no roles change. Nobody loses a role because of it.'),
  {
    alarm: 'telegram-updates',
    settleMs: 2 * minuteMs,
    stateOf: whileRunning('telegram', failingWhileAny('telegram_updates_undelivered')),
    what: ({ lastErrors }) => `Updates do not reach the Telegram bot.${lastErrorText(lastErrors.telegram)}`,
    meaning: 'Groups still get their notifications, but commands are not answered. Telegram keeps them for 24 hours.',
    whereToLook:
      'Check from outside that PUBLIC_URL is reachable over https, or set TELEGRAM_MODE to polling and restart.',
    over: () => 'Updates reach the Telegram bot again.',
  },
  {
    alarm: 'telegram-deliveries',
    stateOf: whileRunning('telegram', failingOver('telegram_oldest_message_seconds', 900)),
    what: ({ figures }) => `Notifications are waiting to be sent: ${figures['telegram_waiting_messages'] ?? 'many'}.`,
    meaning: 'Groups hear about sales and mints late. Nothing is lost.',
    whereToLook: "The tab 'Telegram Bot' shows each chat's deliveries with Telegram's own reasons.",
    over: () => 'Notifications go out on time again.',
  },
  {
    alarm: 'telegram-commands',
    stateOf: whileRunning('telegram', failingOver('telegram_oldest_update_seconds', 300)),
    what: () => 'Commands from group admins are waiting to be carried out.',
    meaning: 'Anyone who sets the bot up or changes its settings gets no answer.',
    whereToLook: 'Read the log of the copy that runs the Telegram bot.',
    over: () => 'Commands are carried out on time again.',
  },
  {
    alarm: 'collection-polls',
    stateOf: whileRead('marketplace', failingOver('collections_overdue_poll_seconds', 1_200)),
    what: () => 'The activity of collections is not being read.',
    meaning: 'Groups hear nothing, and roles follow sales only at the next full check.',
    whereToLook: "The log says which collection and why; the tab 'Telegram Bot' shows when each was last checked.",
    over: () => 'Collections are read on time again.',
  },
  {
    alarm: 'role-changes',
    stateOf: whileRunning('discord', failingOver('discord_overdue_action_seconds', 900)),
    what: () => 'Role changes, or the messages before a removal, are stuck.',
    meaning: 'Holders wait for their role, or keep one that they should not have.',
    whereToLook:
      "The tab 'Discord Bot', sub-tab 'Servers': 'Statistics' of each server says when Discord does not answer. Many changes at once take time, as Discord limits them. What Discord refuses is listed there too, but is not reported here.",
    over: () => 'Role changes are made on time again.',
  },
  {
    alarm: 'role-checks',
    stateOf: whileRunning('discord', failingOver('discord_overdue_check_seconds', 1_800)),
    what: () => 'Checks of members’ wallets are overdue.',
    meaning: 'Roles follow sales and purchases late. Nobody loses a role because of it.',
    whereToLook: 'Check whether chain and marketplace answer, and read the log.',
    over: () => 'Wallets are checked on time again.',
  },
  {
    alarm: 'mass-removal',
    settleMs: 0,
    stateOf: failingWhileAny('discord_waiting_removals'),
    what: ({ figures }) => {
      const servers = figures['discord_waiting_removals'] ?? 1;
      return `Many members of ${servers === 1 ? 'a server' : `${servers} servers`} would lose their role at once. The removal waits for your decision.`;
    },
    meaning: 'They keep the role until you decide.',
    whereToLook:
      "The tab 'Discord Bot', sub-tab 'Servers': 'Statistics' of the server has both buttons. An unexpected removal often means an outage somewhere: check before you approve.",
    over: () => 'The mass removal was decided, or is no longer needed.',
  },
  {
    alarm: 'treasury-history',
    stateOf: failingOver('treasury_history_age_seconds', 3 * 3_600),
    what: () => 'The value of the treasury is not being recorded.',
    meaning:
      'Its chart has no hourly values for this time. Whole days are estimated later from the movements, of coins only.',
    whereToLook:
      'Check whether chain and prices answer, and read the log: a total that moves by more than half is held until a second reading confirms it.',
    over: () => 'The value of the treasury is being recorded again.',
  },
  {
    alarm: 'treasury-ledger-age',
    stateOf: whileRead('chain', failingOver('treasury_ledger_age_seconds', 3_600)),
    what: () => 'The movements of the treasury are not being read.',
    meaning: 'No new movement is shown, no statement is made, and no payment is compared with its plan.',
    whereToLook:
      'The log says why, once for each reason. A node can answer balances and still lack transactions, or have stopped: compare its newest checkpoint with an explorer. Or the clock of this server is wrong.',
    over: () => 'The movements of the treasury are being read again.',
  },
  {
    alarm: 'treasury-ledger',
    // Balances are read without their checkpoint: a movement at the same moment may look like a difference until the next reading.
    settleMs: 5 * minuteMs,
    stateOf: failingWhileAny('treasury_ledger_unexplained_coins'),
    what: ({ unexplained }) =>
      `The treasury does not add up${unexplained === null ? '' : `: the chain differs from its movements by ${unexplained}`}.`,
    meaning: 'The treasury page shows the difference in red.',
    whereToLook:
      "The admin tab 'Treasury' shows each coin's sum, and an explorer shows the wallet's transactions. A movement missing from the list is a bug in this product: please report it.",
    over: () => 'The treasury adds up again, to the last unit.',
  },
  {
    alarm: 'retention',
    stateOf: failingOver('purge_oldest_run_seconds', 24 * 3_600),
    what: () => 'Expired rows are not being deleted.',
    meaning: 'The database grows, and keeps what the privacy policy says is deleted.',
    whereToLook: 'The log names the table and the reason; the table purge_runs shows when each was last purged.',
    over: () => 'Expired rows are being deleted again.',
  },
];

/** Each payment has its own alarm, so that a known one does not hide another. */
const payoutPrefix = 'payout-';

/** A rule for each payment that is not in its plan, and for each stored alarm whose payment is explained now. */
export function payoutRules({ payoutProblems }: Facts, stored: Iterable<string>): readonly AlarmRule[] {
  if (payoutProblems === null) return [];
  const known = new Set(payoutProblems.map(({ key }) => payoutPrefix + key));
  const over = [...stored].filter((alarm) => alarm.startsWith(payoutPrefix) && !known.has(alarm));
  return [
    ...payoutProblems.map(({ key, since, what }) => payoutRule(payoutPrefix + key, since, what)),
    ...over.map((alarm) => payoutRule(alarm, null, '')),
  ];
}

const payoutRule = (alarm: string, since: Date | null, what: string): AlarmRule => ({
  alarm,
  stateOf: () => (since === null ? { kind: 'well' } : { kind: 'failing', since }),
  what: () => what,
  meaning: 'The payout’s page shows it. This product does not pay it again.',
  whereToLook:
    "The transaction is in the tab 'Payouts' and on an explorer. If nobody on the team made it, someone else has a key to the treasury: move its coins and NFTs to a new wallet.",
  over: () => 'A payment outside every plan has been explained.',
});
