/** A cap in a wallet: it proves that the kiosk is the wallet's. */
export interface HeldCap {
  readonly capId: string;
  readonly kioskId: string;
  readonly kind: CapKind;
}
type CapKind = 'kiosk-owner-cap' | 'personal-kiosk-cap' | 'origin-byte-owner-token';

interface KioskPiece {
  readonly objectId: string;
  readonly objectType: string;
  readonly name: string | null;
  readonly isListed: boolean;
  readonly isLocked: boolean;
  readonly listPriceMist: bigint | null;
}

/** Whom an object belongs to now; `object`: to another one, for what lies in a kiosk the field between the two. */
export interface OwnedNow {
  readonly objectId: string;
  readonly objectType: string;
  readonly owner:
    | { readonly kind: 'wallet'; readonly address: string }
    | { readonly kind: 'object'; readonly objectId: string }
    | { readonly kind: 'none' };
}

/** The chain, as far as ownership goes. Lists are complete. Ids, addresses and types are canonical. Throws Unavailable. */
export interface OwnerReader {
  /** What lies directly in the wallet of this type, any instance of it where it has no arguments. */
  readDirect(
    nftType: string,
    wallet: string,
    stop?: AbortSignal,
  ): Promise<readonly { readonly objectId: string; readonly objectType: string; readonly name: string | null }[]>;
  /** Every cap of a configured kind in the wallet; one request for most wallets. */
  readCaps(wallet: string, stop?: AbortSignal): Promise<readonly HeldCap[]>;
  readKiosk(kioskId: string, stop?: AbortSignal): Promise<readonly KioskPiece[]>;
  /** Absent: no such object. */
  readOwners(objectIds: readonly string[], stop?: AbortSignal): Promise<ReadonlyMap<string, OwnedNow>>;
  /** Only hints. */
  readKioskOwnerFields(kioskIds: readonly string[], stop?: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** The id of the field by which this kiosk would own this piece: equal ids prove that it does. */
  kioskFieldId(kioskId: string, objectId: string): string;
}

export interface MarketPieceNow {
  readonly objectId: string;
  readonly name: string | null;
  /** Canonical; the seller of what is listed. */
  readonly owner: string | null;
  readonly isListed: boolean;
  readonly listPriceMist: bigint | null;
}

/** The marketplace as a source of what pieces there are and which are for sale. Throws Unavailable. */
export interface PieceMarket {
  readPieces(
    marketId: string,
    stop?: AbortSignal,
  ): Promise<{
    readonly pieces: readonly MarketPieceNow[];
    readonly supply: number | null;
    readonly unreadableCount: number;
  }>;
  readListedPieces(
    query: { readonly marketId: string; readonly owner: string },
    stop?: AbortSignal,
  ): Promise<readonly MarketPieceNow[]>;
}

/** What a package publishes under a name. */
interface PublishedType {
  readonly definedType: string;
  readonly isObject: boolean;
  readonly typeParameterCount: number;
}

export interface TypeReader {
  /** null: nothing of that name. */
  readDatatype(baseType: string, stop?: AbortSignal): Promise<PublishedType | null>;
}
