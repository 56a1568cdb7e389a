import { z } from 'zod';
import type { ChainControl } from '../transactions/chain-control.ts';
import type { CheckedCommand } from './checked-command.ts';
import { command } from './checked-command.ts';

const bytes = z.base64().min(4).max(200_000);
const describeOrder = z.strictObject({ bytes });
const executeOrder = z.strictObject({ bytes, signatures: z.array(z.base64().max(20_000)).min(1).max(2) });

const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));

/** `POST /control/chain/<name>`. Bytes are the BCS of a transaction as base64, signatures as wallets give them. */
export const chainCommands: Readonly<Record<string, CheckedCommand<ChainControl>>> = {
  describe: command<ChainControl, typeof describeOrder>(describeOrder, (chain, wanted) =>
    chain.describe(bytesOf(wanted.bytes)),
  ),
  execute: command<ChainControl, typeof executeOrder>(executeOrder, async (chain, wanted) => {
    const { digest, checkpoint, failure, balanceChanges } = await chain.execute(
      bytesOf(wanted.bytes),
      wanted.signatures,
    );
    return { digest, checkpoint, failure, balanceChanges };
  }),
};
