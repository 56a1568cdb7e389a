import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import type { MemberName } from './discord-answers.ts';
import { shownMember } from './member-words.ts';
import { whole } from './server-words.ts';

interface ServerHeadProps {
  readonly id: string;
  /** Whither 'back' leads. */
  readonly backText: string;
  readonly onBack: () => void;
  readonly children: ReactNode;
  /** The keyboard goes on at the heading, unless it has a better place. */
  readonly takesFocus?: boolean;
  /** Buttons beside the heading. */
  readonly end?: ReactNode;
}

/** The head of a view of one server or member: the way back, and the heading, which takes the focus. */
export function ServerHead({ id, backText, onBack, children, takesFocus = true, end }: ServerHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const tookFocus = useRef(!takesFocus);
  useEffect(() => {
    if (!tookFocus.current) heading.current?.focus();
    tookFocus.current = true;
  }, []);
  return (
    <>
      <Button size="small" look="ghost" className="-ml-4" onClick={onBack}>
        <span aria-hidden="true">&larr;</span> {backText}
      </Button>
      <div className="mt-2 mb-4 flex flex-wrap items-start gap-x-4 gap-y-3">
        <h2 id={id} ref={heading} tabIndex={-1} className="title-3 min-w-0 flex-1 basis-72 wrap-anywhere outline-none">
          {children}
        </h2>
        {end}
      </div>
    </>
  );
}

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
