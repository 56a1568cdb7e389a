/** The owner of an object. Addresses are canonical. */
export type ChainOwner =
  | { readonly kind: 'wallet'; readonly address: string }
  /** Another object. For an object in a kiosk, this is the dynamic field between the two. */
  | { readonly kind: 'object'; readonly objectId: string }
  /** Shared or immutable. */
  | { readonly kind: 'none' };

/** What one transaction did, by its effects. Addresses, ids and types are canonical. */
export interface ChainTransaction {
  readonly digest: string;
  readonly checkpoint: bigint;
  /** Its place in its checkpoint. */
  readonly position: number;
  readonly at: Date;
  readonly sender: string;
  readonly gasPayer: string;
  /** The gas payer's total cost; below zero if the storage rebate was higher. */
  readonly gasMist: bigint;
  /** By address and coin, in base units; the gas is part of its payer's SUI change. */
  readonly balanceChanges: readonly {
    readonly address: string;
    readonly coinType: string;
    readonly raw: bigint;
  }[];
  readonly objects: readonly ChangedObject[];
}

/** `before` or `after` null: it did not exist, or was wrapped in another object. */
export interface ChangedObject {
  readonly objectId: string;
  readonly objectType: string;
  readonly before: ChainOwner | null;
  readonly after: ChainOwner | null;
  readonly isCreated: boolean;
  readonly isDeleted: boolean;
}

/** A node's simulation of a transaction. It proves nothing: the signer compares it with the intent. */
export interface Simulated {
  readonly kind: 'ran';
  /** Why the commands fail, in the node's words; null: they succeed. */
  readonly failure: string | null;
  /** In MIST. The rebate goes back to the payer. */
  readonly gas: {
    readonly computationMist: bigint;
    readonly storageMist: bigint;
    readonly rebateMist: bigint;
  };
  readonly balanceChanges: ChainTransaction['balanceChanges'];
  readonly objects: readonly ChangedObject[];
  /** Sender, gas payer and budget are those of the simulated transaction; null: the node does not say. */
  readonly sender: string | null;
  readonly gasPayer: string | null;
  readonly budgetMist: bigint | null;
}
