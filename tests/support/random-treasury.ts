import type { ChainOwner } from '../../src/sources/sui/chain-transaction.ts';
import {
  batType,
  createTreasuryWorld,
  type Home,
  kioskCapType,
  kioskType,
  padded,
  rockType,
  suiType,
  treasuryAddress,
  type TreasuryWorld,
  type Truth,
} from './treasury-world.ts';

/** Random histories of a treasury. */

const usdcType = `${padded('dba')}::usdc::USDC`;
const people = ['a1', 'a2', 'a3', 'a4', 'a5'].map(padded);
const none: ChainOwner = { kind: 'none' };

/** `steps`: each number becomes one event, if it is possible. */
export function tellTreasury(steps: readonly number[]): Truth {
  const world = createTreasuryWorld();
  for (const step of steps) {
    const doing = doings[step % doings.length];
    doing?.(world, Math.floor(step / doings.length));
  }
  return world.truth();
}

const wallet = (address: string): Home => ({ kind: 'wallet', address });
const somebody = (pick: number): string => people[pick % people.length] ?? treasuryAddress;
const priceFrom = (pick: number): bigint => 1_000n + BigInt(pick % 1_000_003);

/** Each does one thing, or nothing where it is impossible. */
const doings: readonly ((world: TreasuryWorld, pick: number) => void)[] = [
  function mintRock({ execute, moving, addPiece }, pick) {
    const buyer = somebody(pick);
    const price = priceFrom(pick);
    const moves = [
      [buyer, suiType, -price],
      [treasuryAddress, suiType, price],
    ] as const;
    execute(buyer, 'mint-income', moves, moving(addPiece(rockType), wallet(buyer)));
  },
  function buyPiece({ execute, moving, addPiece, ownKiosks, bought }, pick) {
    const seller = somebody(pick);
    const price = priceFrom(pick);
    const objectId = addPiece(batType);
    execute(seller, null, [], moving(objectId, wallet(seller)));
    const kioskId = ownKiosks[pick % Math.max(1, ownKiosks.length)];
    const home: Home = kioskId === undefined || pick % 2 === 0 ? wallet(treasuryAddress) : { kind: 'kiosk', kioskId };
    const moves = [
      [treasuryAddress, suiType, -price],
      [seller, suiType, price],
    ] as const;
    execute(treasuryAddress, 'nft-purchase', moves, moving(objectId, home));
    bought.push({ objectId, cost: price, proceeds: null });
  },
  function sellInKiosk({ execute, moving, ownPiece, soldInKiosk }, pick) {
    const objectId = ownPiece('kiosk', pick);
    if (objectId === undefined) return;
    const price = priceFrom(pick);
    soldInKiosk(objectId, price);
    // The money goes into the kiosk, which is not an address's balance.
    execute(somebody(pick), 'nft-sale', [[somebody(pick), suiType, -price]], moving(objectId, wallet(somebody(pick))));
  },
  function takeProfits({ execute, takeProfits, ownKiosks }) {
    const [kioskId] = ownKiosks;
    const total = takeProfits();
    if (kioskId === undefined || total === 0n) return;
    execute(
      treasuryAddress,
      'nft-sale',
      [[treasuryAddress, suiType, total]],
      [{ objectId: kioskId, objectType: kioskType, before: none, after: none, isCreated: false, isDeleted: false }],
    );
  },
  function listInEscrow({ execute, moving, ownPiece }, pick) {
    const objectId = ownPiece('wallet', pick);
    if (objectId !== undefined) execute(treasuryAddress, 'other', [], moving(objectId, { kind: 'escrow' }));
  },
  function sellFromEscrow({ execute, moving, ownPiece, sold }, pick) {
    const objectId = ownPiece('escrow', pick);
    if (objectId === undefined) return;
    const buyer = somebody(pick);
    const price = priceFrom(pick);
    sold(objectId, price);
    const moves = [
      [buyer, suiType, -price],
      [treasuryAddress, suiType, price],
    ] as const;
    execute(buyer, 'nft-sale', moves, moving(objectId, wallet(buyer)));
  },
  function takeBack({ execute, moving, ownPiece }, pick) {
    const objectId = ownPiece('escrow', pick);
    if (objectId !== undefined) execute(treasuryAddress, 'other', [], moving(objectId, wallet(treasuryAddress)));
  },
  function swap({ execute }, pick) {
    const pool = somebody(pick);
    const [paid, got] = [priceFrom(pick), priceFrom(pick * 7)];
    execute(treasuryAddress, 'swap', [
      [treasuryAddress, suiType, -paid],
      [pool, suiType, paid],
      [treasuryAddress, usdcType, got],
      [pool, usdcType, -got],
    ]);
  },
  function payOut({ execute }, pick) {
    const share = priceFrom(pick);
    const paid = people.slice(0, 3 + (pick % 3)).map((address) => [address, suiType, share] as const);
    execute(treasuryAddress, 'payout', [[treasuryAddress, suiType, -share * BigInt(paid.length)], ...paid]);
  },
  function send({ execute }, pick) {
    execute(treasuryAddress, 'transfer-out', [
      [treasuryAddress, suiType, -priceFrom(pick)],
      [somebody(pick), suiType, priceFrom(pick)],
    ]);
  },
  function receive({ execute }, pick) {
    execute(somebody(pick), 'transfer-in', [
      [somebody(pick), suiType, -priceFrom(pick)],
      [treasuryAddress, suiType, priceFrom(pick)],
    ]);
  },
  function giveAway({ execute, moving, ownPiece }, pick) {
    const objectId = ownPiece('wallet', pick);
    if (objectId !== undefined) execute(treasuryAddress, 'transfer-out', [], moving(objectId, wallet(somebody(pick))));
  },
  function spam({ execute, moving, addPiece }, pick) {
    const coin = `${padded(`bad${pick % 97}`)}::scam::SCAM`;
    const objects = pick % 2 === 0 ? [] : moving(addPiece(`${padded('bad')}::nft::Nft`), wallet(treasuryAddress));
    execute(somebody(pick), 'other', [[treasuryAddress, coin, 1_000_000n]], objects);
  },
  function openKiosk({ execute, newId, ownKiosks }) {
    if (ownKiosks.length > 2) return;
    const [kioskId, capId] = [newId(), newId()];
    ownKiosks.push(kioskId);
    const [isCreated, isDeleted] = [true, false];
    execute(
      treasuryAddress,
      'fee',
      [],
      [
        { objectId: kioskId, objectType: kioskType, before: null, after: none, isCreated, isDeleted },
        {
          objectId: capId,
          objectType: kioskCapType,
          before: null,
          after: wallet(treasuryAddress) as ChainOwner,
          isCreated,
          isDeleted,
        },
      ],
    );
  },
  function putIntoKiosk({ execute, moving, ownPiece, ownKiosks }, pick) {
    const objectId = ownPiece('wallet', pick);
    const kioskId = ownKiosks[pick % Math.max(1, ownKiosks.length)];
    if (objectId === undefined || kioskId === undefined) return;
    execute(treasuryAddress, 'fee', [], moving(objectId, { kind: 'kiosk', kioskId }));
  },
];
