import { type Client, GatewayDispatchEvents, type Guild } from 'discord.js';

import type { BotLog } from '../../platform/bot-service/bot-turn.ts';
import { cleanText } from '../../shared/clean-text.ts';
import type { GuildMemberStore, SeenMember } from '../adapters/guild-member-store.ts';
import type { BotWork } from '../service/run-gateway.ts';
import type { BotRoles } from './bot-ports.ts';
import { memberGonePayload, type MemberPayload, memberPayload } from './gateway-payloads.ts';
import { hearDispatch } from './hear-dispatch.ts';

const displayNameMax = 100;
/** Discord answers at most 100 ids in one request (documentation, 'Request Guild Members'). */
const idsPerRequest = 100;
const chunkWithinMs = 15_000;

export interface MemberDeps {
  readonly members: GuildMemberStore;
  readonly roles: Pick<BotRoles, 'memberJoined'>;
}

interface MemberListener extends MemberDeps {
  readonly log: BotLog;
  readonly counted: (guildId: string) => void;
  readonly missed: (guildId: string) => void;
}

/** Joins, changes and leavings of members; only of those who have linked a wallet anything is kept. */
export function addMemberEvents(client: Client, listener: MemberListener): BotWork {
  const { members, roles, log, counted } = listener;
  const { inOrder, settled } = createOrder(listener);
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
  return { stop: settled };
}

/** Of one server one thing after the other: who left and came back is there. */
function createOrder({ log, missed }: Pick<MemberListener, 'log' | 'missed'>) {
  const lines = new Map<string, Promise<void>>();
  return {
    inOrder: (guildId: string, work: () => Promise<void>): void => {
      const line = (lines.get(guildId) ?? Promise.resolve()).then(work).catch((error: unknown) => {
        log.warn({ err: error, guildId }, 'What Discord told of a member could not be written down; asking again');
        missed(guildId);
      });
      lines.set(guildId, line);
    },
    settled: async (): Promise<void> => {
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

/** Asks Discord for everybody who has linked a wallet: whether they are there, and what roles they have. */
export async function lookAtMembers({ members, roles }: MemberDeps, guild: Guild): Promise<void> {
  const known = await members.known(guild.id);
  for (let from = 0; from < known.length; from += idsPerRequest) {
    const asked = known.slice(from, from + idsPerRequest);
    const found = await guild.members.fetch({ user: asked, time: chunkWithinMs });
    const seen = [...found.values()].map((member) => ({
      userId: member.id,
      displayName: cleanText(member.displayName, displayNameMax) || member.id,
      roleIds: [...member.roles.cache.keys()],
    }));
    const { returned } = await members.seen(guild.id, seen);
    await members.gone(
      guild.id,
      asked.filter((userId) => !found.has(userId)),
    );
    for (const userId of returned) {
      await roles.memberJoined(guild.id, userId, found.get(userId)?.displayName ?? userId);
    }
  }
}
