import type { ReactNode } from 'react';
import { LinkButton } from '../../ui/button.tsx';
import { ExternalLink } from '../../ui/links.tsx';
import { useSiteConfig } from '../../ui/server-written.tsx';

export interface LegalSection {
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}

interface LegalDocumentProps {
  readonly title: string;
  readonly summary: string;
  readonly sections: readonly LegalSection[];
}

/** Specification 9: policy documents are dated May 2, 2025. */
const lastUpdated = 'May 2, 2025';

/** A text to be read, not clicked away: one column, a table of contents beside it, a close button at both ends. */
export function LegalDocument({ title, summary, sections }: LegalDocumentProps) {
  return (
    <article className="wrap pt-8 pb-16 sm:pt-12">
      <header className="max-w-3xl">
        <CloseButton />
        <h1 className="title-1 mt-8 text-balance">{title}</h1>
        <p className="mt-4 text-quiet">
          Last updated <time dateTime="2025-05-02">{lastUpdated}</time>
        </p>
        <p className="mt-6 text-xl leading-relaxed">{summary}</p>
      </header>
      <div className="mt-12 grid gap-10 lg:grid-cols-[16rem_minmax(0,42rem)] lg:gap-16">
        <Contents sections={sections} />
        <div>
          {sections.map((section, index) => (
            <LegalSectionText key={section.id} section={section} number={index + 1} />
          ))}
          <CloseButton />
        </div>
      </div>
    </article>
  );
}

/** Specification 2: a close button returns to /. */
function CloseButton() {
  return (
    <LinkButton to="/" size="small">
      <svg viewBox="0 0 12 12" className="size-3" aria-hidden="true">
        <path d="M2 2 10 10M10 2 2 10" fill="none" stroke="currentColor" strokeWidth="1.8" />
      </svg>
      Close
    </LinkButton>
  );
}

function Contents({ sections }: { readonly sections: readonly LegalSection[] }) {
  return (
    <nav aria-label="On this page" className="lg:sticky lg:top-8 lg:self-start">
      <p className="text-sm font-semibold text-quiet">On this page</p>
      <ol className="mt-2 lg:border-l lg:border-line">
        {sections.map((section, index) => (
          <li key={section.id}>
            <a href={`#${section.id}`} className="quiet-link flex min-h-11 items-center gap-3 py-1 lg:pl-4">
              <span className="w-5 shrink-0 text-sm text-quiet">{index + 1}</span>
              {section.title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function LegalSectionText({ section, number }: { readonly section: LegalSection; readonly number: number }) {
  const headingId = `${section.id}-heading`;
  return (
    <section id={section.id} aria-labelledby={headingId} className="mb-12 scroll-mt-8">
      <h2 id={headingId} className="title-3 mb-4 flex gap-3">
        <span className="text-ember" aria-hidden="true">
          {number}
        </span>{' '}
        {section.title}
      </h2>
      <div className="space-y-4 text-lg leading-relaxed [&_code]:bg-raised [&_code]:px-1.5 [&_ul]:list-disc [&_ul]:space-y-2 [&_ul]:pl-6 [&_li]:marker:text-ember">
        {section.body}
      </div>
    </section>
  );
}

/** Both documents name the messenger community as the contact. */
export function CommunityLink() {
  const { linkTelegram } = useSiteConfig();
  return <ExternalLink href={linkTelegram}>our Telegram community</ExternalLink>;
}
