import { Skeleton } from '../ui/skeleton.tsx';

/** Stands in while a page's chunk is on its way; keeps the footer below the fold. */
export function PageSkeleton() {
  return (
    <div className="wrap min-h-dvh py-16">
      <output className="sr-only">Loading...</output>
      <Skeleton className="h-14 w-2/3" />
      <Skeleton className="mt-6 h-6 w-1/2" />
      <Skeleton className="mt-12 h-72 w-full" />
    </div>
  );
}
