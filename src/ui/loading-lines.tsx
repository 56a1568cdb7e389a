import { Skeleton } from './skeleton.tsx';

interface LoadingLinesProps {
  readonly count?: number;
  readonly lineClassName?: string;
}

/** Keeps the room of a list that is on its way, and says so. */
export function LoadingLines({ count = 3, lineClassName = 'h-12 w-full' }: LoadingLinesProps) {
  return (
    <div className="space-y-3">
      <output className="sr-only">Loading...</output>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} className={lineClassName} />
      ))}
    </div>
  );
}
