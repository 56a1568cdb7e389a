/** Whom an object belongs to. Addresses are canonical. */
export type ChainOwner =
  | { readonly kind: 'wallet'; readonly address: string }
  /** Another object: for what lies in a kiosk, the dynamic field between the two. */
  | { readonly kind: 'object'; readonly objectId: string }
  /** Shared or immutable. */
  | { readonly kind: 'none' };

/** What one transaction did, as its effects say. Addresses, ids and types are canonical. */
export interface ChainTransaction {
  readonly digest: string;
  readonly checkpoint: bigint;
  /** Its place in its checkpoint. */
  readonly position: number;
  readonly at: Date;
  readonly sender: string;
  readonly gasPayer: string;
  /** What the payer paid in all; below zero when more storage was given back than used. */
  readonly gasMist: bigint;
  /** By address and coin, base units; gas is in the SUI of its payer. */
  readonly balanceChanges: readonly {
    readonly address: string;
    readonly coinType: string;
    readonly raw: bigint;
  }[];
  readonly objects: readonly ChangedObject[];
}

/** `before` or `after` null: it was not there, or lies inside another object. */
export interface ChangedObject {
  readonly objectId: string;
  readonly objectType: string;
  readonly before: ChainOwner | null;
  readonly after: ChainOwner | null;
  readonly isCreated: boolean;
  readonly isDeleted: boolean;
}

/** What a node says that bytes would do now. Nothing of it is proven: who signs compares it with what was meant. */
export interface Simulated {
  readonly kind: 'ran';
  /** Why the commands fail, in the node's words; null: they do not. */
  readonly failure: string | null;
  /** In MIST. `storageRebate` is given back to who pays. */
  readonly gas: {
    readonly computationMist: bigint;
    readonly storageMist: bigint;
    readonly rebateMist: bigint;
  };
  readonly balanceChanges: ChainTransaction['balanceChanges'];
  readonly objects: readonly ChangedObject[];
  /** Of the transaction that was simulated; null: the node does not say. */
  readonly sender: string | null;
  readonly gasPayer: string | null;
  readonly budgetMist: bigint | null;
}
