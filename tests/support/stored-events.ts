import { randomBytes } from 'node:crypto';

import type { Kysely } from 'kysely';

import type { Database } from '../../src/db/schema.ts';
import type { ActivityEvent } from '../../src/market/contract.ts';

/** Stores the events as the pipeline does; returns them with their ids. */
export async function storeEvents(db: Kysely<Database>, events: readonly ActivityEvent[]): Promise<ActivityEvent[]> {
  const stored: ActivityEvent[] = [];
  for (const event of events) {
    const key = randomBytes(8).toString('hex');
    const { id: _id, ...facts } = event;
    const { id } = await db
      .insertInto('activityEvents')
      .values({ ...facts, eventKey: key, actionId: key })
      .returning('id')
      .executeTakeFirstOrThrow();
    stored.push({ ...event, id: BigInt(id) });
  }
  return stored;
}
