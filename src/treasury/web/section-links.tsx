const sections = [
  { id: 'value-over-time', text: 'Trend' },
  { id: 'fund-allocation', text: 'Plan' },
  { id: 'category-breakdown', text: 'Categories' },
  { id: 'full-transparency', text: 'Holdings' },
  { id: 'beyond-the-balance', text: 'Proof' },
] as const;

/** On a phone the page is many screens long. */
export function SectionLinks() {
  return (
    <nav aria-label="On this page" className="mt-4 md:hidden">
      <ul className="flex flex-wrap gap-x-5">
        {sections.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`} className="link inline-flex min-h-11 min-w-11 items-center">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
