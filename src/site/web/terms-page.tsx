import { LegalDocument } from './legal-document.tsx';
import { termsSections } from './terms-page-text.tsx';

/** Specification 2, Terms. */
export function TermsPage() {
  return (
    <LegalDocument
      title="Terms of Service"
      summary="Crypto is risky, treasury distributions are discretionary and not guaranteed, and you decide for yourself. The rest says so precisely."
      sections={termsSections}
    />
  );
}
