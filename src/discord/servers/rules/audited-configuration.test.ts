import { describe, expect, test } from 'vitest';

import { auditedConfiguration } from './known-guild.ts';

const guild = {
  roles: [{ id: '1', name: 'Rock Holder', position: 1, isManaged: false }],
  channels: [{ id: '7', name: 'verify', canView: true, canSend: true }],
};
const config = { roleId: '1', channelId: '7', nftContract: '0x1::rocks::Nft', nftName: 'Rocks', graceMinutes: 0 };
const of = (given: Omit<Parameters<typeof auditedConfiguration>[0], 'isSetUp'> & { isSetUp?: boolean }) =>
  auditedConfiguration({ isSetUp: false, ...given }, guild);

describe('rulings R6: the entry of a configured server in the log of changes', () => {
  test('has everything the first time, with the names of role and channel', () => {
    expect(of({ before: null, after: config })).toEqual({
      before: null,
      after: { ...config, role: 'Rock Holder', channel: '#verify' },
    });
  });

  test('has only what changed later; an unknown role or channel has no name', () => {
    expect(of({ before: { ...config, roleId: '9', channelId: null }, after: config })).toEqual({
      before: { roleId: '9', channelId: null },
      after: { roleId: '1', channelId: '7', role: 'Rock Holder', channel: '#verify' },
    });
    expect(of({ before: config, after: { ...config, graceMinutes: 5 } })).toEqual({
      before: { graceMinutes: 0 },
      after: { graceMinutes: 5 },
    });
  });

  test('has role, channel and collection even for a /setup that changes nothing', () => {
    const { graceMinutes: _graceMinutes, ...setUp } = config;
    expect(of({ before: config, after: config, isSetUp: true })).toEqual({
      before: {},
      after: { ...setUp, role: 'Rock Holder', channel: '#verify' },
    });
  });
});
