import { Routes } from 'discord.js';
import { z } from 'zod';

import { callFailure } from '../../sources/call-failure.ts';
import { cleanText } from '../../shared/clean-text.ts';
import { memberPayload } from '../gateway/gateway-payloads.ts';
import type { ReadGuildMembers } from '../ports.ts';
import { createRestClient, type RestOptions } from '../gateway/rest-client.ts';

/** Discord's maximum (documentation, resources/guild, 'List Guild Members'); needs the intent for members, as the gateway does. */
const pageSize = 1_000;
const nameMax = 100;
const page = z.array(memberPayload.omit({ guild_id: true }));

/** A page of a server's members, by their ids. */
export function createGuildMemberList(options: RestOptions): ReadGuildMembers {
  const rest = createRestClient(options);
  return async (guildId, after) => {
    const query = new URLSearchParams({ limit: String(pageSize), after: after ?? '0' });
    const answer = await rest()
      .get(Routes.guildMembers(guildId), { query })
      .catch((error: unknown) => {
        throw callFailure('Discord', 'upstream-error', { cause: error });
      });
    const read = page.safeParse(answer);
    if (!read.success) throw callFailure('Discord', 'malformed-answer');
    const members = read.data.map(({ user, nick, roles }) => ({
      userId: user.id,
      displayName: cleanText(nick ?? user.global_name ?? user.username, nameMax) || user.id,
      isBot: user.bot === true,
      roleIds: roles,
    }));
    return { members, after: members.length < pageSize ? null : (members.at(-1)?.userId ?? null) };
  };
}
