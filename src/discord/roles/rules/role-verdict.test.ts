import { describe, expect, it } from 'vitest';

import type { RoleState } from './decide.ts';
import { dataDeleted, refusalVerdict, roleAfterChange } from './role-verdict.ts';

const chosen = '7';
const member = (roleState: RoleState) => ({ roleState, guild: { roleId: chosen } });
const grant = { wanted: 'grant-role', roleId: chosen } as const;
const removal = { wanted: 'remove-role', roleId: chosen } as const;

describe("What is known about a member's role once Discord has changed it", () => {
  it('a role that is no longer the chosen one says nothing about the chosen one', () => {
    expect(roleAfterChange({ ...grant, roleId: '8' }, member('holder'), false)).toBe('other-role');
    expect(roleAfterChange({ ...removal, roleId: '8' }, member('grace'), true)).toBe('other-role');
  });

  it('a grant gives the role, unless someone decided otherwise meanwhile', () => {
    expect(roleAfterChange(grant, member('holder'), false)).toBe('given');
    expect(roleAfterChange(grant, member('holder'), true)).toBe('unknown');
  });

  it.each<[RoleState, boolean, string]>([
    ['grace', false, 'removed'],
    ['grace', true, 'removed'],
    ['braked', true, 'removed'],
    ['none', false, 'removed'],
    ['none', true, 'unknown'],
    ['kept', true, 'unknown'],
    ['holder', false, 'unknown'],
    ['holder', true, 'unknown'],
  ])("a removal of the role of a member in '%s' (replaced meanwhile: %s) leaves it '%s'", (state, isReplaced, role) => {
    expect(roleAfterChange(removal, member(state), isReplaced)).toBe(role);
  });
});

describe("What Discord's refusal of a role change means", () => {
  const notHolding = { roleId: chosen, cause: 'not-holding' };
  const deleted = { roleId: chosen, cause: dataDeleted };
  it.each([
    ['a member who has left has no role', notHolding, 'unknown-member', 'member-left'],
    ['the same after a deletion', { ...deleted, roleId: '8' }, 'unknown-member', 'member-left'],
    ['a deleted role has ended for a member who deleted their data', deleted, 'unknown-role', 'role-deleted'],
    ['a deleted role that is still chosen blocks everyone', notHolding, 'unknown-role', 'chosen-role-blocked'],
    ['nothing is left to do with an earlier role', { ...notHolding, roleId: '8' }, 'other', 'other-role-chosen'],
    ['but after a deletion it still goes', { ...deleted, roleId: '8' }, 'missing-permission', 'earlier-role-blocked'],
    ['a missing permission blocks the server', notHolding, 'missing-permission', 'chosen-role-blocked'],
    ['a server without the bot is blocked', deleted, 'unknown-guild', 'chosen-role-blocked'],
    ['anything else concerns this member alone', notHolding, 'other', 'member-refused'],
    ['so it does after a deletion', { ...deleted, roleId: '8' }, 'other', 'member-refused'],
  ] as const)('%s', (_sentence, change, code, verdict) => {
    expect(refusalVerdict(change, code, chosen)).toBe(verdict);
  });

  it('of a member who has deleted their data, the chosen role is not known', () => {
    expect(refusalVerdict(deleted, 'missing-permission', null)).toBe('earlier-role-blocked');
  });
});
