import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { schemaFile, schemaTypes } from '../../scripts/schema-types.ts';
import { typedKysely } from '../../src/db/connect.ts';
import { testDatabase } from '../support/database.ts';

describe('The row types', () => {
  it('name columns in camelCase, and leave the keys of stored JSON as they are', async () => {
    const database = await testDatabase();
    try {
      const db = typedKysely(database.pool);
      const entry = { actorKind: 'system' as const, actorName: 'Sui Rocks', action: 'test', before: null };
      const subject = { subjectKind: 'test', subjectId: '1', subjectLabel: 'One' };
      await db
        .insertInto('auditEntries')
        .values({ ...entry, ...subject, after: '{"max_supply":3}' })
        .execute();
      const row = await db.selectFrom('auditEntries').select(['actorName', 'after']).executeTakeFirstOrThrow();
      expect(row).toEqual({ actorName: 'Sui Rocks', after: { max_supply: 3 } });
    } finally {
      await database.drop();
    }
  });

  it('are those of the migrated database', async () => {
    const database = await testDatabase();
    try {
      const types = await schemaTypes(database.pool);
      expect(types, 'run npm run schema-types').toBe(await readFile(schemaFile, 'utf8'));
    } finally {
      await database.drop();
    }
  });
});
