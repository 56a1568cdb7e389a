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
const browseOrder = z.strictObject({ productUrl: z.string().max(400) });

/** `POST /control/wallets/<name>`. A person is told by name or address, a message as base64 of its bytes. */
export const walletCommands: Readonly<Record<string, CheckedCommand<Machinery>>> = {
  sign: command<Machinery, typeof signOrder>(signOrder, async ({ wallets }, { person, message }) => ({
    signature: await wallets.sign(person, new Uint8Array(Buffer.from(message, 'base64'))),
  })),
  sell: command<Machinery, typeof saleOrder>(saleOrder, ({ wallets }, wanted) => wallets.sell(wanted)),
  'buy-cheapest': command<Machinery, typeof buyOrder>(buyOrder, ({ wallets }, wanted) =>
    wallets.buyCheapest(wanted.person),
  ),
  browse: command<Machinery, typeof browseOrder>(browseOrder, ({ walletBrowser }, { productUrl }) => {
    walletBrowser.setTarget(productUrl);
    return { productUrl: walletBrowser.target() };
  }),
};

/** `GET /control/wallets/<name>`; undefined when there is nothing of that name. */
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
