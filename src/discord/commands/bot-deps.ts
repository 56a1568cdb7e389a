import type { BotLog } from '../../bot-service/bot-runner.ts';
import type { GuildFiguresStore } from '../servers/guild-figures.ts';
import type { GuildStore } from '../servers/guild-store.ts';
import type { Configuring } from '../servers/configuring.ts';
import type { Roles } from '../roles/roles.ts';
import type { Verification } from '../verify/verification.ts';
import type { GuildRegister } from '../servers/guild-register.ts';

/** What the commands call. */
export interface BotDeps {
  readonly register: Pick<GuildRegister, 'save'>;
  readonly guilds: Pick<GuildStore, 'read'>;
  readonly figures: GuildFiguresStore;
  readonly configuring: Pick<Configuring, 'setUp' | 'nftNameOf'>;
  /** Brings a server's panel to the name of its collection. */
  readonly renewPanel: (guildId: string) => void;
  readonly roles: Pick<Roles, 'unlinkWallet' | 'deleteMember' | 'checkNow' | 'explain'>;
  /** One-time links to /verify/<token>. */
  readonly links: Pick<Verification, 'makeLink'>;
  readonly publicUrl: string;
  readonly log: BotLog;
}
