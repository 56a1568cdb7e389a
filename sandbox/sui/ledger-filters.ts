import type { GrpcTypes } from '@mysten/sui/grpc';
import { GrpcStatusCode } from '@mysten/sui/grpc';
import type { ChainEvent, WorldState } from '../world/state.ts';
import { canonicalAddress } from '../world/sui-names.ts';
import { GrpcRefusal } from './grpc-web.ts';
import { hasPlace, ledgerIndexOf } from './ledger-index.ts';
import { typeMatches } from './object-index.ts';
import { canonicalFilter, required } from './state-service.ts';

type Literal = GrpcTypes.EventLiteral | GrpcTypes.TransactionLiteral;
export type Filter = { terms: { literals: Literal[] }[] } | undefined;

/** What a literal is tested against: the transaction at place `at` in the ledger, with all its events or just one. */
export type Subject = { state: WorldState; at: number; events: readonly ChainEvent[] };

/** Passes when all literals of any term hold. No filter matches everything. */
export function passes(filter: Filter, subject: Subject): boolean {
  if (!filter) return true;
  return filter.terms.some((term) => term.literals.every((literal) => holds(literal, subject) !== literal.negated));
}

function holds(literal: Literal, { state, at, events }: Subject): boolean {
  const { predicate } = literal;
  const places = placesOfLiteral(state, literal);
  if (places) return hasPlace(places, at);
  switch (predicate.oneofKind) {
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

/** The default of real nodes (source: src/sources/sui/transactions.ts). */
const literalsMax = 10;

export function checkLiterals(filter: Filter): void {
  const count = (filter?.terms ?? []).reduce((sum, { literals }) => sum + literals.length, 0);
  if (count <= literalsMax) return;
  const message = `filter contains ${count} literals; at most ${literalsMax} are allowed`;
  throw new GrpcRefusal(GrpcStatusCode.INVALID_ARGUMENT, message);
}

/** For each term the places where it can hold; null when a term has no index and needs a full scan. */
export function placesOf(state: WorldState, filter: Filter): (readonly number[])[] | null {
  if (!filter) return null;
  const lists = filter.terms.map(({ literals }) =>
    literals.flatMap((literal) => {
      const places = literal.negated ? null : placesOfLiteral(state, literal);
      return places ? [places] : [];
    }),
  );
  if (lists.some((ofTerm) => ofTerm.length === 0)) return null;
  return lists.map((ofTerm) => ofTerm.reduce((shortest, each) => (each.length < shortest.length ? each : shortest)));
}

function placesOfLiteral(state: WorldState, { predicate }: Literal): readonly number[] | null {
  const { bySender, byAddress, byObject } = ledgerIndexOf(state);
  switch (predicate.oneofKind) {
    case 'sender':
      return bySender.get(required('address', predicate.sender.address, canonicalAddress)) ?? [];
    case 'affectedAddress':
      return byAddress.get(required('address', predicate.affectedAddress.address, canonicalAddress)) ?? [];
    case 'affectedObject':
      return byObject.get(required('object_id', predicate.affectedObject.objectId, canonicalAddress)) ?? [];
    default:
      return null;
  }
}
