import { z } from 'zod';
import type { WorldControl } from '../world/control.ts';
import type { CheckedCommand } from './checked-command.ts';
import { amount, command } from './checked-command.ts';

const address = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, 'Not a Sui address');
const coinType = z.string().min(1).max(400);
/** Fits into one transaction of the real chain, which allows 1,024 commands. */
const recipients = z.array(address).min(1).max(1000);

function order<S extends z.ZodType>(
  schema: S,
  run: Parameters<typeof command<WorldControl, S>>[1],
): CheckedCommand<WorldControl> {
  return command<WorldControl, S>(schema, run);
}

/** Movements of the treasury's coins. An omitted address is the treasury, or a stranger. */
export const treasuryCommands: Readonly<Record<string, CheckedCommand<WorldControl>>> = {
  pay: order(z.strictObject({ from: address.optional(), to: address, coinType, amount }), (world, wanted) =>
    world.pay(wanted),
  ),
  payout: order(
    z.strictObject({ from: address.optional(), recipients, coinType, amountEach: amount }),
    (world, wanted) => world.payout(wanted),
  ),
  receive: order(
    z.strictObject({
      from: address.optional(),
      to: address.optional(),
      coinType,
      amount,
      into: z.enum(['coin', 'party-coin', 'address-balance']).optional(),
    }),
    (world, wanted) => world.receive(wanted),
  ),
  swap: order(
    z.strictObject({
      owner: address.optional(),
      fromCoin: coinType,
      amountIn: amount,
      toCoin: coinType,
      amountOut: amount,
    }),
    (world, wanted) => world.swap(wanted),
  ),
  stake: order(z.strictObject({ owner: address.optional(), amount }), (world, wanted) => world.stake(wanted)),
  spam: order(
    z.strictObject({
      what: z.enum(['coins', 'nfts']),
      count: z.int().min(1).max(5000),
      to: address.optional(),
      transactions: z.enum(['one', 'many']).optional(),
      title: z.string().max(60).optional(),
    }),
    (world, wanted) => world.spam(wanted).map(({ digest }) => digest),
  ),
  prune: order(z.strictObject({ checkpoint: z.int().nonnegative() }), (world, wanted) => world.prune(wanted)),
};
