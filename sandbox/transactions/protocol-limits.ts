/** Mainnet's protocol, as far as the sandbox's chain implements it. */
export const protocolVersion = 140;
/** The gas price at the start; a test can change it, as validators do each epoch. */
export const firstReferenceGasPriceMist = 1000n;
/** The minimum gas units of every transaction (`base_tx_cost_fixed`). */
export const leastGasUnits = 1000n;

/** Protocol configuration 140 (MystenLabs/sui, crates/sui-protocol-config). */
export const limits = {
  transactionBytes: 131_072,
  commands: 1024,
  argumentsOfCommand: 512,
  pureBytes: 16_384,
  inputObjects: 2048,
  newObjects: 2048,
  gasCoins: 256,
  budgetMist: 50_000_000_000n,
} as const;

/** The attributes that `LedgerService/GetEpoch` returns, by their protocol names. */
export const protocolAttributes: Readonly<Record<string, string>> = {
  max_tx_size_bytes: String(limits.transactionBytes),
  max_programmable_tx_commands: String(limits.commands),
  max_arguments: String(limits.argumentsOfCommand),
  max_pure_argument_size: String(limits.pureBytes),
  max_input_objects: String(limits.inputObjects),
  max_num_new_move_object_ids: String(limits.newObjects),
  max_gas_payment_objects: String(limits.gasCoins),
  max_tx_gas: String(limits.budgetMist),
  base_tx_cost_fixed: String(leastGasUnits),
};
