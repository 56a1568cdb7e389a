import type { Sandbox } from '../../sandbox/start-sandbox.ts';
import type { DiscordCopy } from './discord-copy.ts';
import { until } from './until.ts';

interface SigningWallet {
  readonly address: string;
  /** Signs a personal message; returns base64, as a wallet does. */
  sign(message: Uint8Array): Promise<string>;
}

interface WhoAndWhere {
  readonly userId: string;
  readonly channelId: string;
}

interface Outcome {
  readonly outcome: string;
  readonly sentences: readonly string[];
}

/** The secret in the link that /verify shows the member. */
async function linkOf({ discord }: Sandbox, member: WhoAndWhere): Promise<string> {
  const asked = discord.command({ ...member, name: 'verify' });
  const found = () => /\/verify\/([\w-]{43})/.exec(JSON.stringify(asked.answers))?.[1];
  await until('the bot shows a link', () => found() !== undefined);
  return found() ?? '';
}

/**
 * Takes a member to the last step on the page: /verify, the message, the signature in the wallet. The returned function sends the
 * signature, and throws on anything but an outcome.
 */
export async function signToVerify(
  sandbox: Sandbox,
  copy: DiscordCopy,
  member: WhoAndWhere,
  wallet: SigningWallet,
): Promise<() => Promise<Outcome>> {
  const path = `/api/verify/${await linkOf(sandbox, member)}`;
  const handedOut = await copy.call('POST', `${path}/message`, { wallet: wallet.address });
  const { message } = handedOut.body.data as { message: string };
  const signature = await wallet.sign(new TextEncoder().encode(message));
  return async () => {
    const { status, body } = await copy.call('POST', `${path}/signature`, { wallet: wallet.address, signature });
    if (status !== 200) throw new Error(`the signature was answered ${status}: ${body.message}`);
    return body.data;
  };
}

/** One of the sandbox's people verifies with the wallet of that name. */
export async function verifyPerson(
  sandbox: Sandbox,
  copy: DiscordCopy,
  member: WhoAndWhere,
  person: string,
): Promise<Outcome> {
  const { address } = sandbox.wallets.person(person);
  const sign = (message: Uint8Array) => sandbox.wallets.sign(person, message);
  const send = await signToVerify(sandbox, copy, member, { address, sign });
  return send();
}
