/** A turning flint. Decoration: whoever shows it says in words what is awaited. */
export function Spinner({ className = 'size-4' }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={`spinner ${className}`} aria-hidden="true">
      <path
        d="M12 2 19 6 22 13 18 20 10 22 3 17 2 9 6 4Z"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        pathLength="100"
        strokeDasharray="68 32"
      />
    </svg>
  );
}
