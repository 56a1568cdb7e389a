import type { Fault } from '../../../sandbox/faults/fault-board.ts';
import { type DatabaseFault, serverFailure } from '../database-line.ts';
import type { FaultWorld } from './world.ts';

/** What the product depends on. `prices` fails alone, `both prices` together with its fallback. */
export const upstreams = [
  'Sui',
  'marketplace',
  'prices',
  'prices fallback',
  'both prices',
  'Telegram',
  'Discord REST',
  'Discord gateway',
  'database',
] as const;
export type Upstream = (typeof upstreams)[number];

/** How an upstream fails. 'timeout': the right answer, too late. 'hang': no answer, on a connection that stays open. */
export const kinds = [
  'timeout',
  'hang',
  'refused',
  'reset',
  '429',
  '429 with retry-after',
  '500',
  '503',
  'truncated',
  'malformed',
  'wrong types',
  'empty',
  'huge answer',
  'slow drip',
] as const;
export type Kind = (typeof kinds)[number];

/** Longer than any caller waits here. */
const tooLateMs = 5_000;
const dripMs = 400;

const onTheWire: Readonly<Record<Kind, Fault>> = {
  timeout: { kind: 'slow', delayMs: tooLateMs },
  hang: { kind: 'hang' },
  refused: { kind: 'refused' },
  reset: { kind: 'reset' },
  '429': { kind: '429' },
  '429 with retry-after': { kind: '429', retryAfterSeconds: 1 },
  '500': { kind: '500' },
  '503': { kind: '503' },
  truncated: { kind: 'truncated' },
  malformed: { kind: 'malformed' },
  'wrong types': { kind: 'wrong-types' },
  empty: { kind: 'empty' },
  'huge answer': { kind: 'huge' },
  'slow drip': { kind: 'drip', delayMs: dripMs },
};

const services: Readonly<Record<Exclude<Upstream, 'database'>, readonly string[]>> = {
  Sui: ['sui'],
  marketplace: ['market'],
  prices: ['prices'],
  'prices fallback': ['pricesFallback'],
  'both prices': ['prices', 'pricesFallback'],
  Telegram: ['telegram'],
  'Discord REST': ['discord'],
  'Discord gateway': ['discordGateway'],
};

const says = (bytes: Buffer): DatabaseFault => ({ kind: 'says', bytes });

/** PostgreSQL's own protocol: HTTP statuses become its nearest errors (its Appendix A), broken answers become broken messages. */
const ofDatabase: Readonly<Record<Exclude<Kind, 'refused'>, DatabaseFault>> = {
  timeout: { kind: 'slow', delayMs: tooLateMs },
  hang: { kind: 'silent' },
  reset: { kind: 'reset' },
  '429': says(serverFailure('53300', 'sorry, too many clients already')),
  '429 with retry-after': says(serverFailure('53400', 'configuration limit exceeded')),
  '500': says(serverFailure('58030', 'could not read file "base/1/1259": Input/output error')),
  '503': says(serverFailure('57P03', 'the database system is starting up')),
  truncated: says(serverFailure('57P01', 'terminating connection').subarray(0, 12)),
  malformed: says(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')),
  'wrong types': says(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 99])),
  empty: says(Buffer.alloc(0)),
  // Announces 1 GiB, of which nothing follows.
  'huge answer': says(Buffer.from([0x44, 0x40, 0, 0, 0, 0, 1])),
  'slow drip': { kind: 'drip', delayMs: dripMs },
};

/** Breaks an upstream until the returned function mends it. */
export async function breakUpstream(world: FaultWorld, upstream: Upstream, kind: Kind): Promise<() => Promise<void>> {
  const { sandbox, line } = world;
  if (upstream === 'database') {
    if (kind === 'refused') line.cut();
    else line.spoil(ofDatabase[kind]);
    return () => line.mend();
  }
  for (const service of services[upstream]) await sandbox.faults.set(service, onTheWire[kind]);
  return () => sandbox.faults.clear();
}
