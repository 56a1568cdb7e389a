import { z } from 'zod';
import type { WorldControl } from '../world/control.ts';
import { amount } from './checked-command.ts';
import { treasuryCommands } from './treasury-commands.ts';

const text = z.string().max(2000);
const name = z.string().min(1).max(400);
const address = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/, 'Not a Sui address');
const into = z.enum(['wallet', 'kiosk', 'personal-kiosk', 'origin-byte-kiosk']);
const capKind = z.enum(['kiosk', 'personal-kiosk', 'origin-byte-kiosk']);
const decimalNumber = z.string().regex(/^\d{1,20}(\.\d{1,20})?$/, 'Not a decimal number');
const services = z.array(z.enum(['prices', 'pricesFallback']));
const timeMs = z.int().nullable();

const metadata = z.strictObject({
  symbol: text,
  name: text,
  decimals: z.int().min(0).max(255),
  description: text.optional(),
  iconUrl: text.nullable().optional(),
});
const floorRule = z.union([
  z.strictObject({ kind: z.literal('lowest-listing') }),
  z.strictObject({ kind: z.literal('fixed'), floorMist: amount.nullable() }),
]);

/** A command to the world: checks its body, then runs. */
export type Command = (world: WorldControl, body: unknown) => unknown;

function command<S extends z.ZodType>(schema: S, run: (world: WorldControl, wanted: z.infer<S>) => unknown): Command {
  return (world, body) => run(world, schema.parse(body));
}

/** zod sets omitted fields to undefined; the operations expect them to be absent. */
type Present<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };
function present<T extends object>(wanted: T): Present<T> {
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Present<T>;
}

const transfer = command(
  z.strictObject({
    nftId: address,
    address,
    into: into.optional(),
    kioskId: address.optional(),
    locked: z.boolean().optional(),
  }),
  (world, wanted) => world.transfer(present(wanted)),
);
const buy = command(z.strictObject({ nftId: address, buyer: address, into: into.optional() }), (world, wanted) =>
  world.buy(present(wanted)),
);

/** `POST /control/<name>`. Amounts are base units; owners default to the treasury where the operation says so. */
export const worldCommands: Readonly<Record<string, Command>> = {
  'set-balance': command(
    z.strictObject({
      owner: address.optional(),
      coinType: name,
      coinBalance: amount.optional(),
      addressBalance: amount.optional(),
      coinObjects: z.int().min(1).max(1000).optional(),
    }),
    (world, wanted) => world.setBalance(present(wanted)),
  ),
  'add-coin': command(
    z.strictObject({ coinType: name, metadata: metadata.nullable() }),
    (world, { coinType, metadata: given }) => world.addCoin({ coinType, metadata: given && present(given) }),
  ),
  'set-price': command(
    z.strictObject({
      coinType: name,
      priceUsd: decimalNumber.nullable(),
      confidence: z.number().min(0).max(1).optional(),
      ageMs: z.int().nonnegative().optional(),
      services: services.optional(),
    }),
    (world, wanted) => world.setPrice(present(wanted)),
  ),
  'set-floor-rule': command(z.strictObject({ collection: name, rule: floorRule }), (world, wanted) =>
    world.setFloorRule(wanted),
  ),
  'set-verified': command(z.strictObject({ collection: name, verified: z.boolean() }), (world, wanted) =>
    world.setVerified(wanted),
  ),
  'set-image': command(z.strictObject({ nftId: address, image: text.nullable() }), (world, wanted) =>
    world.setImage(wanted),
  ),
  'hand-over-kiosk': command(z.strictObject({ kioskId: address, to: address }), (world, wanted) =>
    world.handOverKiosk(wanted),
  ),
  'set-display': command(
    z.strictObject({
      collection: name,
      kind: z.enum(['migrated', 'version-2', 'none']),
      fields: z.record(text, z.json()).optional(),
      errors: z.record(text, text).optional(),
    }),
    (world, wanted) => world.setDisplay(present(wanted)),
  ),
  'create-kiosk': command(z.strictObject({ holder: address, capKind: capKind.optional() }), (world, wanted) =>
    world.createKiosk(present(wanted)),
  ),
  mint: command(
    z.strictObject({
      address,
      into: into.optional(),
      kioskId: address.optional(),
      collection: name.optional(),
      priceMist: amount.optional(),
    }),
    (world, wanted) => world.mint(present(wanted)),
  ),
  transfer,
  'move-nft': transfer,
  list: command(z.strictObject({ nftId: address, priceMist: amount }), (world, wanted) => world.list(wanted)),
  relist: command(z.strictObject({ nftId: address, priceMist: amount }), (world, wanted) => world.relist(wanted)),
  unlist: command(z.strictObject({ nftId: address }), (world, wanted) => world.unlist(wanted)),
  buy,
  sell: buy,
  bid: command(
    z.strictObject({ nftId: address, bidder: address, priceMist: amount, expiresAtMs: timeMs.optional() }),
    (world, wanted) => world.bid(present(wanted)),
  ),
  'collection-bid': command(
    z.strictObject({
      collection: name,
      bidder: address,
      priceMist: amount,
      count: z.int().min(1).max(1000).optional(),
      expiresAtMs: timeMs.optional(),
    }),
    (world, wanted) => world.collectionBid(present(wanted)),
  ),
  'accept-bid': command(z.strictObject({ bidId: z.uuid(), nftId: address.optional() }), (world, wanted) =>
    world.acceptBid(present(wanted)),
  ),
  'cancel-bid': command(z.strictObject({ bidId: z.uuid() }), (world, wanted) => world.cancelBid(wanted)),
  'report-action': command(
    z.strictObject({
      collection: name,
      type: z.string().min(1).max(60),
      nftId: address.nullable().optional(),
      priceMist: amount.nullable().optional(),
      priceCoin: name.optional(),
      sender: address.nullable().optional(),
      receiver: address.nullable().optional(),
      marketName: z.string().max(60).nullable().optional(),
      txId: z.string().max(100).optional(),
      agoMs: z.int().optional(),
    }),
    (world, wanted) => world.reportAction(present(wanted)),
  ),
  'repeat-action': command(
    z.strictObject({
      actionId: z.uuid().optional(),
      type: z.string().max(60).optional(),
      marketName: z.string().max(60).optional(),
      times: z.int().min(1).max(1000).optional(),
    }),
    (world, wanted) => world.repeatAction(present(wanted)),
  ),
  burst: command(
    z.strictObject({
      collection: name,
      kind: z.enum(['mint', 'list', 'buy']),
      count: z.int().min(1).max(5000),
      priceMist: amount.optional(),
    }),
    (world, wanted) => world.burst(present(wanted)),
  ),
  'add-collections': command(
    z.strictObject({
      count: z.int().min(1).max(5000),
      nftsEach: z.int().min(0).max(1000).optional(),
      title: z.string().max(60).optional(),
    }),
    (world, wanted) => world.addCollections(present(wanted)),
  ),
  ...treasuryCommands,
  reset: command(z.strictObject({}), (world) => world.reset()),
};
