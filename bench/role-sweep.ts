import { userOf, walletOf } from '../tests/support/role-world.ts';
import { until } from '../tests/support/until.ts';
import { addMembers, benchGuildOf, startBenchRoles } from './role-bench.ts';
import { atLeast, atMost, type Row } from './row.ts';

/** `npm run bench role-sweep`: 100 servers × 200 verified members on one collection. */
const guildCount = 100;
const perGuild = 200;
const sweepWithinMs = 120_000;

/** Issue figures: one owner table, no wallet read on its own, at most 5 s of work apart from Discord's own limits. */
export const benchRoleSweep = async (): Promise<Row[]> => {
  const world = await startBenchRoles();
  try {
    for (let guild = 0; guild < guildCount; guild += 1) await world.server({ guildId: benchGuildOf(guild) });
    const members = Array.from({ length: guildCount * perGuild }, (_none, index) => ({
      guildId: benchGuildOf(Math.floor(index / perGuild)),
      userId: userOf(index),
      wallet: walletOf(index),
      isHolder: true,
    }));
    await addMembers(world, members);
    // One in a hundred has sold: the first check finds it.
    members.forEach(({ wallet }, index) => world.holdings.set(wallet, index % 100 === 0 ? 0 : 1));
    const roles = world.copy();
    const sweep = async (): Promise<number> => {
      await world.rows('update discord_guild_configs set sweep_due_at = clock_timestamp(), last_sweep_at = null');
      const startedMs = performance.now();
      const cpuBefore = process.cpuUsage();
      roles.start();
      await until(
        'all are swept',
        async () =>
          (await world.rows('select 1 from discord_guild_configs where last_sweep_at is null limit 1')).length === 0,
        sweepWithinMs,
      );
      const { user, system } = process.cpuUsage(cpuBefore);
      console.error(`one sweep: ${Math.round((user + system) / 1_000)} ms of this process's CPU`);
      return performance.now() - startedMs;
    };
    const checked = async (): Promise<number> => {
      const [row] = await world.rows(
        "select sum((last_sweep ->> 'checked')::int)::int as checked from discord_guild_configs",
      );
      return Number(row?.['checked']);
    };
    const ms = await sweep();
    const tables = world.holdings.tableReads.length;
    const again = await sweep();
    const what = `sweep of ${guildCount} servers × ${perGuild} members`;
    return [
      atMost(`${what}: work, including the first check of 200 who sold`, ms / 1_000, 5, ' s'),
      atMost(`${what}: work, nothing new`, again / 1_000, 5, ' s'),
      atLeast(`${what}: members checked`, await checked(), members.length),
      atMost(`${what}: owner tables`, tables, 1),
      atMost(`${what}: wallets read on their own`, world.holdings.singleReads.length, 0),
    ];
  } finally {
    await world.end();
  }
};
