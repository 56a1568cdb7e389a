/** Keeps the room of something that is on its way. Decoration: the words beside it say 'Loading...'. */
export function Skeleton({ className = 'h-6 w-full' }: { readonly className?: string }) {
  return <span className={`skeleton ${className}`} aria-hidden="true" />;
}
