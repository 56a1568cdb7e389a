import { whole } from '../../../ui/decimal-text.ts';
import type { MemberName } from './discord-answers.ts';
import { shownMember } from './discord-words.ts';

interface NameListProps {
  readonly title: string;
  /** null: not known. */
  readonly members: readonly MemberName[] | null;
  /** Of how many these are the first. */
  readonly total: number;
}

/** Names of members behind a disclosure; nothing where there are none. */
export function NameList({ title, members, total }: NameListProps) {
  if (members === null || members.length === 0) return null;
  return (
    <details className="audit-fold">
      <summary>{title}</summary>
      <ul className="pb-2 wrap-anywhere sm:columns-2">
        {members.map((member) => (
          <li key={member.userId} title={member.userId}>
            <bdi>{shownMember(member)}</bdi>
          </li>
        ))}
        {total > members.length && <li className="text-quiet">and {whole(total - members.length)} more</li>}
      </ul>
    </details>
  );
}
