import { z } from 'zod';
import { shownPeople } from '../wallets/shown-people.ts';
import type { WalletControl } from '../wallets/wallets.ts';
import type { CheckedCommand } from './checked-command.ts';
import { amount, command } from './checked-command.ts';
import type { Machinery } from './sandbox-commands.ts';

const signOrder = z.strictObject({ person: z.string().min(1).max(100), message: z.base64().max(100_000) });
const person = z.string().min(1).max(100);
const saleOrder = z.strictObject({ nftId: z.string().max(80), to: person, priceMist: amount.optional() });
const buyOrder = z.strictObject({ person });
const transaction = z.base64().min(4).max(200_000);
const signTransactionOrder = z.strictObject({ person, bytes: transaction });
const combineOrder = z.strictObject({
  signatures: z.array(z.base64().max(20_000)).min(1).max(10),
  person: person.optional(),
});
/** Pasted by hand, so blanks and line breaks are allowed. */
const pasteOrder = z.strictObject({ bytes: z.string().min(4).max(300_000) });
const browseOrder = z.strictObject({ productUrl: z.string().max(400) });

/** One transaction that several people read and sign in turn. */
const pastedCommands: Readonly<Record<string, CheckedCommand<Machinery>>> = {
  'paste-transaction': command<Machinery, typeof pasteOrder>(pasteOrder, ({ pendingTransaction }, { bytes }) => {
    pendingTransaction.paste(bytes);
    return pendingTransaction.current();
  }),
  'sign-pasted': command<Machinery, typeof buyOrder>(buyOrder, async ({ pendingTransaction }, wanted) => ({
    signature: await pendingTransaction.sign(wanted.person),
    combined: pendingTransaction.combined(),
  })),
  'execute-pasted': async ({ pendingTransaction }) => {
    const { digest, failure } = await pendingTransaction.execute();
    return { digest, failure };
  },
};

/** `POST /control/wallets/<name>`. A person is given by name or address, a message as base64 of its bytes. */
export const walletCommands: Readonly<Record<string, CheckedCommand<Machinery>>> = {
  sign: command<Machinery, typeof signOrder>(signOrder, async ({ wallets }, { person, message }) => ({
    signature: await wallets.sign(person, new Uint8Array(Buffer.from(message, 'base64'))),
  })),
  'sign-transaction': command<Machinery, typeof signTransactionOrder>(
    signTransactionOrder,
    async ({ wallets }, { person, bytes }) => ({
      signature: await wallets.signTransaction(person, new Uint8Array(Buffer.from(bytes, 'base64'))),
    }),
  ),
  combine: command<Machinery, typeof combineOrder>(combineOrder, ({ wallets }, { signatures, person }) => ({
    signature: wallets.combine(signatures, person),
  })),
  ...pastedCommands,
  sell: command<Machinery, typeof saleOrder>(saleOrder, ({ wallets }, wanted) => wallets.sell(wanted)),
  'buy-cheapest': command<Machinery, typeof buyOrder>(buyOrder, ({ wallets }, wanted) =>
    wallets.buyCheapest(wanted.person),
  ),
  browse: command<Machinery, typeof browseOrder>(browseOrder, ({ walletBrowser }, { productUrl }) => {
    walletBrowser.setTarget(productUrl);
    return { productUrl: walletBrowser.target() };
  }),
};

/** `GET /control/wallets/<name>`; undefined if the name is unknown. */
export function readWallets({ wallets, walletBrowser }: Machinery, name: string): unknown {
  if (name === 'people') return peopleOf(wallets);
  return name === 'browser' ? { productUrl: walletBrowser.target() } : undefined;
}

function peopleOf(wallets: WalletControl) {
  return shownPeople(wallets).map((person) => ({
    ...person,
    holdings: wallets
      .holdings(person.address)
      .map(({ nft, ...where }) => ({ nftId: nft.id, name: nft.name, ...where })),
  }));
}
