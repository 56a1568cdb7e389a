import { signerOf } from '../../../sandbox/wallets/signer.ts';
import { until } from '../until.ts';
import { type Feature, type Outcome, passed, patientMs, within } from './feature.ts';
import type { FaultWorld } from './world.ts';

interface Verifying {
  readonly userId: string;
  /** Sends the signature; returns the call's answer. */
  readonly sign: () => Promise<{ readonly status: number; readonly outcome: string | null; readonly message: string }>;
}

const membersWithRole = ({ sandbox }: FaultWorld): readonly string[] => {
  const { guildId, roles } = sandbox.discord.seeded;
  return sandbox.discord.membersWithRole({ guildId, roleId: roles.holder });
};

/** Takes a member to the last step on the page: /verify, the message, the signature in the wallet. */
async function comeToSign(world: FaultWorld, userId: string, label: string): Promise<Verifying> {
  const { sandbox, call } = world;
  const signer = signerOf('ED25519', label);
  // At no price, so that the treasury's balance stays as its own test expects.
  sandbox.world.mint({ address: signer.address, priceMist: 0n });
  const { channels } = sandbox.discord.seeded;
  const token = async (): Promise<string | undefined> => {
    const asked = sandbox.discord.command({ userId, channelId: channels.welcome, name: 'verify' });
    const found = () => /\/verify\/([\w-]{43})/.exec(JSON.stringify(asked.answers))?.[1];
    await within(3_000, () => found() !== undefined);
    return found();
  };
  let link: string | undefined;
  await until('the bot shows a link', async () => (link = await token()) !== undefined);
  const path = `/api/verify/${link}`;
  const { body } = await call('POST', `${path}/message`, { wallet: signer.address });
  const { message } = body.data as { message: string };
  const signature = await signer.sign(new TextEncoder().encode(message));
  return {
    userId,
    sign: async () => {
      const answer = await call('POST', `${path}/signature`, { wallet: signer.address, signature });
      const data = (answer.body.data ?? null) as { outcome: string } | null;
      return { status: answer.status, outcome: data?.outcome ?? null, message: answer.body.message ?? '' };
    },
  };
}

let memberCount = 0;

async function newMember({ sandbox }: FaultWorld): Promise<string> {
  memberCount += 1;
  const { guildId } = sandbox.discord.seeded;
  const [userId = ''] = sandbox.discord.addMembers({ guildId, count: 1, name: `member ${memberCount}` });
  return userId;
}

/** Makes a holder at the beginning, whose role must never be taken. */
export async function makeHolder(world: FaultWorld): Promise<string> {
  const userId = await newMember(world);
  const { sign } = await comeToSign(world, userId, 'the holder');
  await sign();
  await until('the holder has the role', () => membersWithRole(world).includes(userId));
  return userId;
}

export const verification: Feature<Verifying> = {
  name: '/verify page and the role',
  seenBy: 'member',
  remember: async (world) => comeToSign(world, await newMember(world), `member ${memberCount}`),
  during: async (world, { upstream }, { userId, sign }): Promise<Outcome> => {
    const { status, outcome, message } = await sign();
    if (status === 503) {
      if (message.length < 10) throw new Error(`a refusal without a sentence: ${message}`);
      return 'says so';
    }
    if (status !== 200) throw new Error(`the signature was answered ${status}: ${message}`);
    // A holder must never be told that they hold nothing.
    if (outcome !== 'role-coming' && outcome !== 'unknown')
      throw new Error(`the outcome of the signature was: ${outcome}`);
    const isAffected = upstream === 'Sui' || upstream === 'Discord REST' || upstream === 'database';
    const isGiven = await within(isAffected ? 1_500 : patientMs, () => membersWithRole(world).includes(userId));
    return isGiven ? 'as ever' : 'waits';
  },
  recovered: async (world, { userId, sign }) => {
    const hasRole = (): boolean => membersWithRole(world).includes(userId);
    // A member who was told to try again does so; one who was told that the role comes waits.
    const isLinked = await world.rows('select 1 from discord_wallets where user_id = $1', [userId]);
    if (isLinked.length === 0) await until('the signature is accepted', async () => (await sign()).status === 200);
    await until(`${userId} has the role`, hasRole, 60_000);
  },
};

/** Makes a sweep of every verified member due now. */
const sweepNow = ({ rows }: FaultWorld) =>
  rows('update discord_guild_configs set sweep_due_at = clock_timestamp() returning 1');

export const roleOfHolder: Feature<{ readonly sinceMs: number }> = {
  name: "a holder's role while each member is checked",
  seenBy: 'member',
  remember: async () => ({ sinceMs: 0 }),
  during: async (world) => {
    await sweepNow(world);
    await passed(1_200);
    return keptRole(world);
  },
  recovered: async (world) => {
    const [before] = await sweepNow(world).then(() => world.rows<{ now: Date }>('select clock_timestamp() as now'));
    await until(
      'a sweep is over',
      async () => {
        const [found] = await world.rows<{ at: Date | null }>('select last_sweep_at as at from discord_guild_configs');
        return found?.at != null && before !== undefined && found.at >= before.now;
      },
      60_000,
    );
    keptRole(world);
  },
};

function keptRole(world: FaultWorld): Outcome {
  // Even if it was given back meanwhile.
  const { holderId, sandbox } = world;
  const isTaken = sandbox.discord.roleChanges().some(({ userId, kind }) => userId === holderId && kind === 'taken');
  if (isTaken || !membersWithRole(world).includes(holderId)) throw new Error('the role of a holder was taken');
  return 'kept';
}

/** The rocks found, as src/discord/roles/rules/explanation.ts says it: never 'no rocks found'. */
const foundRocks = /: [1-9]\d* rocks?: /;

export const whyCommand: Feature<null> = {
  name: '/why',
  seenBy: 'member',
  remember: async () => null,
  during: async (world, { upstream }): Promise<Outcome> => {
    const asked = askWhy(world);
    const said = () => asked.answers.at(-1)?.content ?? '';
    const isMute = upstream === 'Discord REST' || upstream === 'Discord gateway';
    if (!(await within(isMute ? 3_000 : patientMs, () => said() !== ''))) return 'says nothing';
    if (foundRocks.test(said())) return 'as ever';
    if (/went wrong|try again|not work|failed/i.test(said())) return 'says so';
    throw new Error(`/why was answered: ${said()}`);
  },
  recovered: (world) =>
    until(
      '/why is answered',
      async () => {
        const asked = askWhy(world);
        return within(1_500, () => foundRocks.test(asked.answers.at(-1)?.content ?? ''));
      },
      60_000,
    ),
};

function askWhy({ sandbox, holderId }: FaultWorld) {
  const { channels } = sandbox.discord.seeded;
  return sandbox.discord.command({ userId: holderId, channelId: channels.welcome, name: 'why' });
}
