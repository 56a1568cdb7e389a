import { type Client, GatewayDispatchEvents } from 'discord.js';

import type { BotLog } from '../../platform/bot-service/bot-runner.ts';
import { cleanText } from '../../shared/clean-text.ts';
import type { GuildMemberStore, SeenMember } from '../servers/guild-member-store.ts';
import type { BotWork } from './run-gateway.ts';
import type { BotRoles } from '../bot-ports.ts';
import { hearDispatch, memberGonePayload, type MemberPayload, memberPayload } from './gateway-payloads.ts';

export const displayNameMax = 100;

export interface MemberDeps {
  readonly members: GuildMemberStore;
  readonly roles: Pick<BotRoles, 'memberJoined'>;
}

export interface OrderedMemberDeps extends MemberDeps {
  readonly order: MemberOrder;
}

interface MemberListener extends OrderedMemberDeps {
  readonly log: BotLog;
  readonly counted: (guildId: string) => void;
  readonly missed: (guildId: string) => void;
}

/** Joins, changes and leavings of members; only of those who have linked a wallet anything is kept. */
export function addMemberEvents(client: Client, listener: MemberListener): BotWork {
  const { members, roles, log, counted } = listener;
  const { order, missed } = listener;
  const inOrder = (guildId: string, work: () => Promise<void>): void => {
    order.next(guildId, work).catch((error: unknown) => {
      log.warn({ err: error, guildId }, 'News about a member could not be saved; asking Discord again');
      missed(guildId);
    });
  };
  const seen = async (member: MemberPayload, hasJoined: boolean): Promise<void> => {
    const { guild_id: guildId, user } = member;
    if (user.bot === true) return;
    const { returned } = await members.seen(guildId, [toSeen(member)]);
    // A leaving may have been missed: whoever joins is looked at, whatever is stored.
    if (hasJoined || returned.length > 0) await roles.memberJoined(guildId, user.id, displayNameOf(member));
  };
  hearDispatch(client, log, GatewayDispatchEvents.GuildMemberAdd, memberPayload, (member) => {
    counted(member.guild_id);
    inOrder(member.guild_id, () => seen(member, true));
  });
  hearDispatch(client, log, GatewayDispatchEvents.GuildMemberUpdate, memberPayload, (member) => {
    inOrder(member.guild_id, () => seen(member, false));
  });
  const gone = GatewayDispatchEvents.GuildMemberRemove;
  hearDispatch(client, log, gone, memberGonePayload, ({ guild_id: guildId, user }) => {
    counted(guildId);
    inOrder(guildId, () => members.gone(guildId, [user.id]));
  });
  return { stop: () => order.settled() };
}

export interface MemberOrder {
  /** What `work` throws is the caller's, and holds up nothing that comes after it. */
  next(guildId: string, work: () => Promise<void>): Promise<void>;
  settled(): Promise<void>;
}

/** What Discord tells of a server's members, written down one after the other as it came: who left and came back is there. */
export function createMemberOrder(): MemberOrder {
  const lines = new Map<string, Promise<void>>();
  return {
    next: (guildId, work) => {
      const done = (lines.get(guildId) ?? Promise.resolve()).then(work);
      lines.set(
        guildId,
        done.catch(() => {}),
      );
      return done;
    },
    settled: async () => {
      await Promise.all(lines.values());
    },
  };
}

const toSeen = (member: MemberPayload): SeenMember => ({
  userId: member.user.id,
  displayName: displayNameOf(member),
  roleIds: member.roles,
});

const displayNameOf = ({ nick, user }: Pick<MemberPayload, 'nick' | 'user'>): string =>
  cleanText(nick ?? user.global_name ?? user.username, displayNameMax) || user.id;
