import { expect, test } from 'vitest';

import { auditReason } from './role-texts.ts';

test.each([
  ['grant-role', 'verified', 'Holds the collection (verified)'],
  ['remove-role', 'sweep', 'No longer holds (sweep)'],
  ['remove-role', 'approved', 'No longer holds; approved by an admin'],
  ['remove-role', 'data-deleted', 'Asked to have their data deleted'],
] as const)("Discord's audit log says why, for %s by %s: %s", (kind, cause, reason) => {
  expect(auditReason(kind, cause)).toBe(reason);
});
