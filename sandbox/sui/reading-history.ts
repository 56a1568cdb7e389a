import { GrpcTypes, SuiGrpcClient } from '@mysten/sui/grpc';
import type { Sandbox } from '../start-sandbox.ts';

/** Reads the transaction history through the SDK's client, for tests. */

type Literal = GrpcTypes.TransactionLiteral;

export const affectedAddress = (address: string): Literal => ({
  negated: false,
  predicate: { oneofKind: 'affectedAddress', affectedAddress: { address } },
});

export const affectedObject = (objectId: string): Literal => ({
  negated: false,
  predicate: { oneofKind: 'affectedObject', affectedObject: { objectId } },
});

export const anyOf = (...literals: Literal[]): GrpcTypes.TransactionFilter => ({
  terms: literals.map((literal) => ({ literals: [literal] })),
});

export const everything = ['digest', 'transaction', 'checkpoint', 'timestamp', 'effects', 'events', 'balance_changes'];

export function nodeOf(sandbox: Sandbox, service: 'sui' | 'archive' = 'sui'): SuiGrpcClient {
  return new SuiGrpcClient({ network: 'mainnet', baseUrl: sandbox.urls[service] });
}

export async function framesOf(
  sandbox: Sandbox,
  asked: Partial<GrpcTypes.ListTransactionsRequest>,
  service: 'sui' | 'archive' = 'sui',
): Promise<GrpcTypes.ListTransactionsResponse[]> {
  const frames: GrpcTypes.ListTransactionsResponse[] = [];
  const call = nodeOf(sandbox, service).ledgerService.listTransactions({ readMask: { paths: everything }, ...asked });
  for await (const frame of call.responses) frames.push(frame);
  return frames;
}

export const digestsOf = (frames: GrpcTypes.ListTransactionsResponse[]): string[] =>
  frames.flatMap(({ transaction }) => transaction?.digest ?? []);

/** Why a list ended. */
export const { ITEM_LIMIT, LEDGER_TIP } = GrpcTypes.QueryEndReason;
export const { CREATED } = GrpcTypes.ChangedObject_IdOperation;
