import { z } from 'zod';

import { type CheckedPlan, readPlan } from '../src/payouts/core/check/check-plan.ts';

export interface PublishedPlan {
  /** The bytes of plan.json as text. */
  readonly file: string;
  /** null: not known. */
  readonly publishedSha256: string | null;
  /** Other plans of the same coin: a payment that belongs to one of them is not a second payment of this plan. */
  readonly others: readonly CheckedPlan[];
  /** By payout; empty when the plan is read from a file. */
  readonly withdrawnAt: ReadonlyMap<number, Date>;
}

const published = z.object({
  data: z.object({
    payouts: z.array(
      z.object({
        id: z.int(),
        sha256: z.string(),
        coin: z.object({ type: z.string() }),
        withdrawn: z.object({ at: z.iso.datetime() }).nullable(),
      }),
    ),
  }),
});
const payoutPath = /^(?:\/api)?\/payouts\/(\d{1,9})(?:\/plan\.json)?\/?$/;

/** Reads what a site publishes about the payout at an address such as https://…/payouts/3. Errors are one sentence. */
export async function readPublished(address: string): Promise<PublishedPlan> {
  const { origin, pathname } = new URL(address);
  const digits = payoutPath.exec(pathname)?.[1];
  if (digits === undefined) throw new Error(`${address} is not the address of a payout, such as ${origin}/payouts/3.`);
  const id = Number(digits);
  const payouts = payoutsIn(await read(`${origin}/api/payouts`), origin);
  const own = payouts.find((payout) => payout.id === id);
  if (own === undefined) throw new Error(`${origin} has published no payout ${id}.`);
  const others: CheckedPlan[] = [];
  for (const other of payouts.filter(({ coin }) => coin.type === own.coin.type)) {
    if (other.id === id) continue;
    const plan = readPlan(await planAt(origin, other.id));
    if (!('problem' in plan)) others.push(plan.plan);
  }
  const withdrawnAt = new Map(
    payouts.flatMap(({ id: which, withdrawn }) => (withdrawn === null ? [] : [[which, new Date(withdrawn.at)]])),
  );
  return { file: await planAt(origin, id), publishedSha256: own.sha256, others, withdrawnAt };
}

function payoutsIn(answer: string, origin: string) {
  try {
    return published.parse(JSON.parse(answer)).data.payouts;
  } catch (error) {
    throw new Error(`${origin} does not answer like a Sui Rocks site.`, { cause: error });
  }
}

const planAt = (origin: string, id: number): Promise<string> => read(`${origin}/api/payouts/${id}/plan.json`);

async function read(url: string): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(60_000) }).catch((cause: unknown) => {
    throw new Error(`The site ${new URL(url).origin} does not answer.`, { cause });
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return answer.text();
}
