import { foreignText } from '../../../shared/foreign-text.ts';
import { counted, whole } from './server-words.ts';

interface NameListProps {
  readonly title: string;
  readonly members: readonly { readonly userId: string; readonly displayName: string }[];
  /** Of how many these are the first. */
  readonly total: number;
}

/** Names of members behind a disclosure; nothing where there are none. */
export function NameList({ title, members, total }: NameListProps) {
  if (members.length === 0) return null;
  return (
    <details className="audit-fold">
      <summary>{title}</summary>
      <ul className="pb-2 wrap-anywhere sm:columns-2">
        {members.map(({ userId, displayName }) => (
          <li key={userId} title={userId}>
            <bdi>{foreignText(displayName, 40)}</bdi>
          </li>
        ))}
        {total > members.length && <li className="text-quiet">and {whole(total - members.length)} more</li>}
      </ul>
    </details>
  );
}
