import type { GrpcTypes } from '@mysten/sui/grpc';
import { GrpcStatusCode } from '@mysten/sui/grpc';
import type { ChainEvent, ChainTransaction } from '../world/state.ts';
import { canonicalAddress } from '../world/sui-names.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { typeMatches } from './object-index.ts';
import { canonicalFilter, required } from './state-service.ts';

type Literal = GrpcTypes.EventLiteral | GrpcTypes.TransactionLiteral;
type Filter = { terms: { literals: Literal[] }[] } | undefined;

/** What a literal is asked about: an event in its transaction, or all events of one. */
export type Subject = { transaction: ChainTransaction; events: readonly ChainEvent[] };

/** Any term, and in it every literal; no filter matches everything. */
export function passes(filter: Filter, subject: Subject): boolean {
  if (!filter) return true;
  return filter.terms.some((term) => term.literals.every((literal) => holds(literal, subject) !== literal.negated));
}

function holds(literal: Literal, { transaction, events }: Subject): boolean {
  const { predicate } = literal;
  switch (predicate.oneofKind) {
    case 'sender':
      return transaction.sender === required('address', predicate.sender.address, canonicalAddress);
    case 'emitModule': {
      const wanted = canonicalFilter(predicate.emitModule.module ?? '');
      return events.some((event) => typeMatches(`${event.packageId}::${event.module}`, wanted));
    }
    case 'eventType': {
      const wanted = canonicalFilter(predicate.eventType.eventType ?? '');
      return events.some((event) => typeMatches(event.eventType, wanted));
    }
    default:
      throw new GrpcRefusal(
        GrpcStatusCode.UNIMPLEMENTED,
        `the sandbox does not filter by ${predicate.oneofKind ?? 'nothing'}`,
      );
  }
}
