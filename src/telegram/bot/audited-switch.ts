import type { SameBot } from '../../platform/bot-service/same-bot.ts';
import type { SwitchDeps } from '../../platform/bot-service/switch-service.ts';
import type { Actor } from '../configuring-deps.ts';
import type { AuditTrail, CollectionTracking } from '../ports.ts';

interface AuditedSwitchDeps {
  readonly tracking: Pick<CollectionTracking, 'setPaused'>;
  readonly audit: AuditTrail;
  readonly sameBot: Pick<SameBot, 'allowOther'>;
}

/** While the bot is off nothing is read for it; who switched it stands in the log of changes. */
export const auditedSwitch =
  ({ tracking, audit, sameBot }: AuditedSwitchDeps, actor: Actor): SwitchDeps['onSwitched'] =>
  async (before, after, opened) => {
    await tracking.setPaused(after === 'inactive', opened);
    if (after === 'inactive') await sameBot.allowOther(opened);
    const subject = { kind: 'telegram-bot', id: 'telegram', label: 'Telegram bot' };
    const action = after === 'active' ? 'telegram-bot-initialized' : 'telegram-bot-shut-down';
    await audit.record({ actor, action, subject, before: { wanted: before }, after: { wanted: after } }, opened);
  };
