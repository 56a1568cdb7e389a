import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';

import { amountText } from '../../payouts/core/payout-words.ts';
import { list, readAnswer } from '../../ui/api/answer-schema.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { SectionHeading } from '../../ui/section-heading.tsx';

const path = '/api/payouts';
const coin = z.object({ type: z.string(), symbol: z.string(), decimals: z.number() });
const distributed = z.object({ distributed: list(z.object({ coin, raw: z.string() })) });

/** Rulings R9: what holders of rocks have got, added up from the chain and never from what somebody says. */
export function Distributed() {
  const { data, isError } = useQuery({
    // Not under the path alone: the payouts' page keeps the whole answer there.
    queryKey: [path, 'distributed'],
    queryFn: ({ signal }) => readAnswer({ path, signal }, distributed),
    refetchInterval: 300_000,
  });
  return (
    <Card as="section" aria-labelledby="distributed">
      <SectionHeading id="distributed" title="Distributed so far" level={3} />
      {data === undefined && <p className="mt-4 text-unavailable">{isError ? 'Not known right now' : 'Loading...'}</p>}
      {data?.distributed.length === 0 && <p className="mt-4 text-2xl font-semibold">Nothing yet</p>}
      {data?.distributed.map(({ coin: of, raw }) => (
        <p key={of.type} className="mt-4 text-2xl font-semibold tabular-nums wrap-anywhere">
          <bdi>{amountText(raw, of)}</bdi>
        </p>
      ))}
      <p className="mt-3 text-quiet">
        What the addresses of all published payouts have got, by the transactions on the chain. Distributions are
        discretionary and not guaranteed.
      </p>
      <p className="mt-4">
        <LinkButton to="/payouts">All payouts</LinkButton>
      </p>
    </Card>
  );
}
