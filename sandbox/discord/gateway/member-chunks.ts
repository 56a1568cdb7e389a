import { z } from 'zod';
import type { DiscordServer } from '../discord-server.ts';
import type { Guild, Json, Member } from '../discord-state.ts';
import { memberWire } from '../wire.ts';
import { findUser } from '../finding.ts';
import { intents } from './intents.ts';
import { isOfShard, type Session } from './session.ts';

const chunkLength = 1000;
const mostIds = 100;
const wholeListEveryMs = 30_000;

const request = z.object({
  guild_id: z.string(),
  query: z.string().optional(),
  limit: z.int().min(0).optional(),
  user_ids: z.union([z.string().transform((id) => [id]), z.array(z.string())]).optional(),
  nonce: z.string().optional(),
});
type Asked = z.infer<typeof request>;
type Event = { name: string; data: Json };

/** Answers opcode 8. The whole list is sent once in 30 s per server and needs the members intent. */
export function createMemberChunks(server: DiscordServer): (asked: Json, session: Session) => Event[] {
  const wholeListAtMs = new Map<string, number>();
  return (given, session) => {
    const asked = request.safeParse(given).data;
    const guild = server.state.guilds.get(asked?.guild_id ?? '');
    if (!asked || !guild?.hasBot || !guild.isAvailable) return [];
    if (!isOfShard(guild.id, session.shard) || !takeAnswer(server, guild)) return [];
    if (isWhole(asked)) {
      if ((session.intents & intents.GUILD_MEMBERS) === 0) return [];
      const waitMs = (wholeListAtMs.get(guild.id) ?? -Infinity) + wholeListEveryMs - performance.now();
      if (server.limits.settings.enforced && waitMs > 0) {
        const meta = { guild_id: guild.id, ...nonceOf(asked) };
        return [{ name: 'RATE_LIMITED', data: { opcode: 8, retry_after: waitMs / 1000, meta } }];
      }
      wholeListAtMs.set(guild.id, performance.now());
    }
    return chunkEvents(server, guild, asked);
  };
}

function takeAnswer({ gateway: { settings } }: DiscordServer, { id }: Guild): boolean {
  const left = settings.memberAnswers.get(id) ?? Infinity;
  if (left !== Infinity) settings.memberAnswers.set(id, Math.max(0, left - 1));
  return left > 0;
}

function isWhole({ user_ids: ids, query = '', limit = 0 }: Asked): boolean {
  return ids === undefined && query === '' && limit === 0;
}

function chunkEvents(server: DiscordServer, guild: Guild, asked: Asked): Event[] {
  const { found, missing } = select(server, [...guild.members.values()], asked);
  return chunksOf(found).map((members, index, all) => ({
    name: 'GUILD_MEMBERS_CHUNK',
    data: {
      guild_id: guild.id,
      members: members.map((member) => memberWire(member, findUser(server, member.userId))),
      chunk_index: index,
      chunk_count: all.length,
      ...(missing.length > 0 && { not_found: missing }),
      ...nonceOf(asked),
    },
  }));
}

/** A nonce of more than 32 bytes is ignored. */
function nonceOf({ nonce }: Asked): Json {
  return nonce !== undefined && Buffer.byteLength(nonce) <= 32 ? { nonce } : {};
}

function select(server: DiscordServer, members: Member[], asked: Asked): { found: Member[]; missing: string[] } {
  if (asked.user_ids !== undefined) {
    const ids = asked.user_ids.slice(0, mostIds);
    const byId = new Map(members.map((member) => [member.userId, member]));
    return { found: ids.flatMap((id) => byId.get(id) ?? []), missing: ids.filter((id) => !byId.has(id)) };
  }
  const query = (asked.query ?? '').toLowerCase();
  if (isWhole(asked)) return { found: members, missing: [] };
  const fits = ({ userId, nick }: Member): boolean =>
    [findUser(server, userId).username, nick ?? ''].some((name) => name.toLowerCase().startsWith(query));
  return { found: members.filter(fits).slice(0, Math.min(asked.limit ?? 100, 100)), missing: [] };
}

function chunksOf(members: Member[]): Member[][] {
  if (members.length === 0) return [[]];
  return Array.from({ length: Math.ceil(members.length / chunkLength) }, (_, index) =>
    members.slice(index * chunkLength, (index + 1) * chunkLength),
  );
}
