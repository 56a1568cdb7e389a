import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { flag, list, number, oneOf, readAnswer, time } from '../../ui/api/answer-schema.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { unsignedText } from '../../ui/decimal-text.ts';
import { Skeleton } from '../../ui/placeholders.tsx';
import { ServerSnapshot } from '../../ui/server-written.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';

/** GET /api/treasury/trend: what home shows of it. */
const trend = z.object({
  totalUsdValue: number,
  asOf: time,
  state: oneOf('live', 'stale', 'estimated', 'unavailable'),
  days: list(z.object({ usd: number, estimated: flag })),
});

const path = '/api/treasury/trend';
const refetchEveryMs = 300_000;

/** Rulings R8: the treasury's value with its line of 30 days. Its room is the same while loading, known and unknown. */
export function TreasuryValue() {
  const { data, isError } = useQuery({
    queryKey: [path, 'home'],
    queryFn: ({ signal }) => readAnswer({ path, signal }, trend),
    refetchInterval: refetchEveryMs,
  });
  const usd = data?.totalUsdValue ?? null;
  const isAwaited = data === undefined && !isError;
  return (
    <>
      <div className="treasury-value needs-script">
        <p className="figure-label">Total Value, and its last 30 days</p>
        <p className="figure-value">
          {isAwaited && <Skeleton className="figure-room" />}
          {isAwaited && <span className="sr-only">Loading...</span>}
          {!isAwaited && (usd === null ? 'Not known right now' : `$${unsignedText(usd, { min: 2, max: 2 })}`)}
        </p>
        <div className="figure-state">
          {usd !== null && data?.state && <StateBadge state={data.state} asOf={data.asOf} />}
        </div>
        <Sparkline
          points={(data?.days ?? []).map((day) => ({ value: day.usd, isDashed: day.estimated === true }))}
          className="h-10 w-full"
        />
      </div>
      <ServerSnapshot of="treasury-value" />
    </>
  );
}
