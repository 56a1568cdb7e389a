import type { Kysely } from 'kysely';

import type { ChangeSignal } from '../../db/change-signal.ts';
import type { Database } from '../../db/schema.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Logger } from '../../process/logger.ts';
import type { AuditTrail, Clock, Ownership, RolePlatform } from '../ports.ts';

/** Everything the role engine works with; its parts name what they use of it. */
export interface RolesDeps {
  readonly db: Kysely<Database>;
  readonly changes: Pick<ChangeSignal, 'subscribe' | 'publish'>;
  readonly jobs: Pick<Jobs, 'add' | 'send' | 'sendAll'>;
  readonly ownership: Ownership;
  /** null: there is no bot; nothing is given or removed, and what is due waits. */
  readonly platform: RolePlatform | null;
  readonly audit: AuditTrail;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Canonical type of the product's own collection. */
  readonly collectionType: string;
  /** RECHECK_INTERVAL_MS. */
  readonly recheckMs: number;
  /** Awaited between pieces of long work: the site answers from the same process. Left out: this one serves no one else. */
  readonly stepBack?: ((workedMs: number) => Promise<void>) | undefined;
}
