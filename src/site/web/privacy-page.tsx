import { LegalDocument } from './legal-document.tsx';
import { privacySections } from './privacy-page-text.tsx';

/** Specification 2, Privacy. */
export function PrivacyPage() {
  return (
    <LegalDocument
      title="Privacy Policy"
      summary="No personal data is collected, except that the group-chat bot may store a messenger user ID and notification preferences."
      sections={privacySections}
    />
  );
}
