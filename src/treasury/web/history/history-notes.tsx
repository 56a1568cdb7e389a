import { transactionLink } from '../../../shared/explorer-links.ts';
import { foreignText } from '../../../shared/foreign-text.ts';
import { instantInWords } from '../../../ui/age-in-words.ts';
import { ExternalLink } from '../../../ui/links.tsx';
import { useSiteConfig } from '../../../ui/server-written.tsx';
import { wordsMax } from '../../core/ledger-words.ts';
import type { ShownNote } from '../treasury-answer.ts';

export const noteText = ({ text }: ShownNote): string => foreignText(text, wordsMax.note);

/** The marks of the chart in words, newest first (rulings R8: notes of the team as marks). */
export function HistoryNotes({ notes }: { readonly notes: readonly ShownNote[] }) {
  const { explorerUrl } = useSiteConfig();
  if (notes.length === 0) return null;
  return (
    <details className="mt-4">
      <summary className="min-h-11 cursor-pointer py-2 font-semibold">The team&rsquo;s notes ({notes.length})</summary>
      <ul aria-label="The team’s notes" className="mt-3 max-h-96 space-y-2 overflow-y-auto">
        {notes.toReversed().map((note) => (
          <li key={note.digest} className="wrap-anywhere">
            <span className="text-quiet">{instantInWords(note.at)}:</span> <bdi>{noteText(note)}</bdi>{' '}
            <ExternalLink href={transactionLink(explorerUrl, note.digest)}>
              Transaction<span className="sr-only"> of: {noteText(note)}</span>
            </ExternalLink>
          </li>
        ))}
      </ul>
    </details>
  );
}
