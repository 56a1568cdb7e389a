import type { Kysely } from 'kysely';

import type { OpenTransaction } from '../shared/open-transaction.ts';
import type { ChatStore } from './adapters/chat-store.ts';
import type { ConfigurationStore } from './adapters/configuration-store.ts';
import type { SetupStore } from './adapters/setup-store.ts';
import type { TelegramTables } from './adapters/tables.ts';
import type { AuditTrail, CollectionHistory, CollectionTracking } from './ports.ts';

/** Who changes something: an admin in the dashboard, or a group admin in Telegram. */
export type Actor = Parameters<AuditTrail['record']>[0]['actor'];

export interface ConfiguringDeps {
  readonly db: Kysely<TelegramTables>;
  readonly configurations: ConfigurationStore;
  readonly chats: ChatStore;
  readonly setups: SetupStore;
  readonly tracking: CollectionTracking;
  readonly history: Pick<CollectionHistory, 'mintCount'>;
  readonly audit: AuditTrail;
  /** Takes back what waits to be sent for a configuration that is no more. */
  readonly dropPending: (configurationId: string, reason: string, transaction: OpenTransaction) => Promise<unknown>;
}
