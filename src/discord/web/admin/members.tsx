import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Age } from '../../../ui/age.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState, LoadingLines } from '../../../ui/placeholders.tsx';
import { QueryTrouble } from '../../../ui/query-trouble.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { ListedMember } from './discord-answers.ts';
import { useMembers } from './discord-calls.ts';
import { roleWords, shownMember, standingInWords } from './member-words.ts';
import { counted } from './server-words.ts';

interface MembersProps {
  readonly guildId: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly onExplain: (userId: string) => void;
  /** Who was explained last: their button takes the focus back. */
  readonly lastShownId: string | null;
}

/** Between the last key and the question to the server. */
const settledAfterMs = 300;

/** Everybody who has a linked wallet in the server, or still the role of one that they have unlinked. */
export function Members({ guildId, search, onSearch, onExplain, lastShownId }: MembersProps) {
  const asked = useSettled(search.trim(), settledAfterMs);
  const query = useMembers(guildId, asked);
  const members = query.data?.pages.flatMap((page) => page.members) ?? [];
  return (
    <Card as="section" aria-labelledby="discord-members" aria-busy={query.isFetching}>
      <h2 id="discord-members" className="title-3 mb-4">
        Members with a wallet or the role
      </h2>
      <search className="mb-4 block">
        <TextField
          label="Search"
          type="search"
          className="w-full sm:w-96"
          placeholder="name, Discord id or wallet"
          maxLength={100}
          value={search}
          onChange={({ target }) => onSearch(target.value)}
        />
      </search>
      <QueryTrouble text="Failed to load the members" query={query} />
      {query.isPending && <LoadingLines />}
      {query.data !== undefined && members.length === 0 && (
        <Nobody searched={asked !== ''} onClear={() => onSearch('')} />
      )}
      {members.length > 0 && (
        <ul aria-labelledby="discord-members" className="divide-y divide-line border-t border-line">
          {members.map((member) => (
            <MemberLine
              key={member.userId}
              member={member}
              onExplain={onExplain}
              takesFocus={lastShownId === member.userId}
            />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <div className="pt-4 text-center">
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            More
          </Button>
        </div>
      )}
    </Card>
  );
}

function Nobody({ searched, onClear }: { readonly searched: boolean; readonly onClear: () => void }): ReactNode {
  if (!searched) {
    return <EmptyState>Nobody has linked a wallet yet. Members do that with /verify in the server.</EmptyState>;
  }
  return (
    <EmptyState
      action={
        <Button size="small" onClick={onClear}>
          Show all
        </Button>
      }
    >
      No member matches this search.
    </EmptyState>
  );
}

interface MemberLineProps {
  readonly member: ListedMember;
  readonly onExplain: (userId: string) => void;
  readonly takesFocus: boolean;
}

function MemberLine({ member, onExplain, takesFocus }: MemberLineProps) {
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (takesFocus) line.current?.querySelector('button')?.focus();
  }, [takesFocus]);
  const { userId, standing, hasRole, isInGuild, walletCount, answeredAt } = member;
  const { word, tone } = standingInWords(standing);
  return (
    <li ref={line} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <bdi className="font-semibold" title={userId}>
            {shownMember(member)}
          </bdi>
          <Badge tone={tone}>{word}</Badge>
          {isInGuild === false && <Badge tone="quiet">Left the server</Badge>}
        </p>
        <p className="text-sm text-quiet">
          Role: {roleWords(hasRole)}
          {walletCount !== null && ` · ${counted(walletCount, 'wallet')}`}
          {answeredAt === null && ' · not checked yet'}
          {typeof answeredAt === 'string' && (
            <>
              {' '}
              · last checked <Age asOf={answeredAt} />
            </>
          )}
        </p>
      </div>
      <Button size="small" onClick={() => onExplain(userId)}>
        Explain<span className="sr-only"> {shownMember(member)}</span>
      </Button>
    </li>
  );
}

/** The text once it has stayed the same for a while: a search asks the server once, not at each key. */
function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}
