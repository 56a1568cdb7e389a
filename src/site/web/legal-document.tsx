import type { ReactNode } from 'react';
import { Link } from 'wouter';

/** One section of a legal text; `id` is its address on the page. */
export interface LegalSection {
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

interface LegalDocumentProps {
  readonly title: string;
  /** One sentence that says the most important thing first. */
  readonly summary: string;
  readonly sections: readonly LegalSection[];
}

/** Specification 9: policy documents are dated May 2, 2025. */
const lastUpdated = 'May 2, 2025';

export function LegalDocument({ title, summary, sections }: LegalDocumentProps) {
  return (
    <article>
      <Link href="/">Close</Link>
      <h1>{title}</h1>
      <p>Last updated {lastUpdated}</p>
      <p>{summary}</p>
      <nav aria-label="On this page">
        <ol>
          {sections.map((section) => (
            <li key={section.id}>
              <a href={`#${section.id}`}>{section.title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {sections.map((section) => (
        <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
          <h2 id={`${section.id}-title`}>{section.title}</h2>
          {section.body}
        </section>
      ))}
    </article>
  );
}
