import { expect, test, vi } from 'vitest';

import { nothingRead } from '../ledger/ledger-store.ts';
import { statementJob, type StatementParts } from './statements.ts';

test('while no statement is due, a run reads two short rows but not the newest statement', async () => {
  const body = vi.fn();
  const isPricedUntil = vi.fn();
  const last = async () => ({ month: '2026-09', sha256: 'a hash' });
  const coveredAt = new Date('2026-11-01T00:59:59Z');
  const parts = {
    statements: { last, body, isPricedUntil },
    store: { progress: async () => ({ ...nothingRead, isComplete: true, coveredAt }) },
  } as unknown as StatementParts;
  const { run, everyMs } = statementJob(parts);
  await run({}, new AbortController().signal);
  expect(body).not.toHaveBeenCalled();
  expect(isPricedUntil).not.toHaveBeenCalled();
  expect(everyMs).toBe(60_000);
});
