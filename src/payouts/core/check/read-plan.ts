import * as z from 'zod/mini';

import { canonicalJson } from '../../../shared/canonical-json.ts';

/**
 * A published plan as whoever checks it reads it. Nothing in this folder shares code with what makes plans or says what became of them,
 * but the canonical form (rulings R9).
 */

const digits = z.string().check(z.regex(/^(?:0|[1-9]\d{0,77})$/));
const address = z.string().check(z.regex(/^0x[0-9a-f]{64}$/));
const rocks = z.array(z.int().check(z.positive()));
const line = z.object({ address, raw: digits, rocks });
export type PlanLine = z.infer<typeof line>;

const plan = z.object({
  version: z.literal(1),
  payout: z.int().check(z.positive()),
  network: z.string(),
  chainId: z.nullable(z.string()),
  treasury: address,
  title: z.string(),
  coin: z.object({ type: z.string(), symbol: z.string(), decimals: z.int().check(z.minimum(0), z.maximum(255)) }),
  amount: z.object({ mode: z.enum(['total', 'per-rock']), raw: digits }),
  snapshot: z.object({ checkpoint: digits, at: z.string(), rocks: z.int() }),
  leftOut: z.array(z.object({ address, reason: z.string(), rocks })),
  shareRaw: digits,
  totalRaw: digits,
  remainderRaw: digits,
  lines: z.array(line),
});
/** What is calculated of it; the hash is of all. */
export type CheckedPlan = z.infer<typeof plan>;

export type ReadPlan = { readonly plan: CheckedPlan; readonly isCanonical: boolean } | { readonly problem: string };

export function readPlan(file: string): ReadPlan {
  try {
    const value: unknown = JSON.parse(file);
    const read = plan.safeParse(value);
    if (read.success) return { plan: read.data, isCanonical: canonicalJson(value) === file };
    const place = read.error.issues[0]?.path.join('.') ?? '';
    return {
      problem: `This is not the plan of a payout${place === '' ? '' : `: ${place} is missing or is nothing that can stand there`}.`,
    };
  } catch {
    return { problem: 'This is not the plan of a payout: it cannot be read as JSON without fractions.' };
  }
}
