import type { BotLog } from '../../bot-service/bot-runner.ts';
import type { GuildFiguresStore } from '../servers/guild-figures.ts';
import type { GuildStore } from '../servers/guild-store.ts';
import type { Configuring } from '../servers/configuring.ts';
import type { BotRoles, VerifyLinks } from '../bot-ports.ts';
import type { GuildRegister } from '../servers/guild-register.ts';

/** What the commands call. */
export interface BotDeps {
  readonly register: Pick<GuildRegister, 'save'>;
  readonly guilds: Pick<GuildStore, 'read'>;
  readonly figures: GuildFiguresStore;
  readonly configuring: Pick<Configuring, 'setUp' | 'nftNameOf'>;
  /** Brings a server's panel to the name of its collection. */
  readonly renewPanel: (guildId: string) => void;
  readonly roles: BotRoles;
  readonly links: VerifyLinks;
  readonly publicUrl: string;
  readonly log: BotLog;
}
