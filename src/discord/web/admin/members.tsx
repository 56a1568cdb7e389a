import type { Opener } from '../../../ui/address-bar.tsx';
import { Age } from '../../../ui/age.tsx';
import { hasStatus, withQuery } from '../../../ui/api/api-client.ts';
import { useAnswer, useAnswerPages } from '../../../ui/api/use-answer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { counted, wholeNumberText } from '../../../ui/decimal-text.ts';
import { Line, Panel, Part, QueryLines } from '../../../ui/panel.tsx';
import { EmptyState, NothingFound } from '../../../ui/placeholders.tsx';
import { QueryError } from '../../../ui/query-error.tsx';
import { TextField, useSettled } from '../../../ui/text-field.tsx';
import { type ListedMember, membersPage, type MemberName, unverifiedHolders } from './discord-answers.ts';
import { guildPath } from './discord-calls.ts';
import { roleWords, shownMember, roleStateInWords } from './discord-words.ts';

interface MembersProps {
  readonly guildId: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly opener: Opener<'member'>;
}

/** Members with a linked wallet in the server, or who still have the role after unlinking theirs. */
export function Members({ guildId, search, onSearch, opener }: MembersProps) {
  const settledSearch = useSettled(search.trim());
  const path = `${guildPath(guildId)}/members`;
  const query = useAnswerPages({
    key: [path, settledSearch],
    schema: membersPage,
    pathOf: (after) => withQuery(path, { search: settledSearch, after }),
    cursorOf: ({ nextAfter }) => nextAfter,
    rowsOf: ({ members }) => members,
    keyOf: ({ userId }) => userId,
  });
  return (
    <Panel id="discord-members" title="Members with a wallet or the role" query={query} refreshText={null}>
      <search className="mb-4 block">
        <TextField
          label="Search"
          type="search"
          className="w-full sm:w-96"
          placeholder="name, Discord id or wallet"
          maxLength={100}
          value={search}
          onText={onSearch}
        />
      </search>
      <QueryLines
        query={query}
        failure="Failed to load the members"
        empty={
          settledSearch === '' ? (
            <EmptyState>Nobody has linked a wallet yet. Members do that with /verify in the server.</EmptyState>
          ) : (
            <NothingFound onClear={() => onSearch('')}>No member matches this search.</NothingFound>
          )
        }
        labelledBy="discord-members"
      >
        {(member) => (
          <Line
            key={member.userId}
            end={
              <Button size="small" about={shownMember(member)} {...opener({ name: 'member', id: member.userId })}>
                Explain
              </Button>
            }
          >
            <Listed member={member} />
          </Line>
        )}
      </QueryLines>
    </Panel>
  );
}

function Listed({ member }: { readonly member: ListedMember }) {
  const { userId, roleState, hasRole, isInGuild, walletCount, answeredAt } = member;
  const { word, tone } = roleStateInWords(roleState);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <bdi className="font-semibold" title={userId}>
          {shownMember(member)}
        </bdi>
        <Badge tone={tone}>{word}</Badge>
        {isInGuild === false && <Badge tone="quiet">Not in the server</Badge>}
      </p>
      <p className="text-sm text-quiet">
        Role: {roleWords(hasRole)}
        {walletCount !== null && <span> · {counted(walletCount, 'wallet')}</span>}
        {answeredAt === null ? <span> · not checked yet</span> : <Age asOf={answeredAt} before=" · last checked " />}
      </p>
    </>
  );
}

interface NameListProps {
  readonly title: string;
  /** null: not known. */
  readonly members: readonly MemberName[] | null;
  /** How many there are; `members` may be only the first of them. */
  readonly total: number;
}

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
        {total > members.length && <li className="text-quiet">and {wholeNumberText(total - members.length)} more</li>}
      </ul>
    </details>
  );
}

/** Rulings R6: role holders missing from the figures of verified members. Renders nothing if there are none, or none are known. */
export function UnverifiedHolders({ guildId }: { readonly guildId: string }) {
  // Each call asks Discord for every member of the server.
  const seldom = { staleTime: 60_000, refetchInterval: false } as const;
  const query = useAnswer(`${guildPath(guildId)}/unverified-holders`, unverifiedHolders, seldom);
  const { data, error } = query;
  // Rulings R2: the call may not exist.
  if (hasStatus(error, 404)) return null;
  const count = data?.count ?? 0;
  if (data == null || count === 0)
    return <QueryError text="Failed to load the role holders without a wallet" query={query} />;
  const { isComplete, members } = data;
  const has = count === 1 ? 'member has' : 'members have';
  return (
    <Part
      id="discord-unverified"
      title={`${isComplete === false ? 'At least ' : ''}${wholeNumberText(count)} ${has} the role and no linked wallet`}
    >
      <p className="mt-1 text-quiet">
        They got it from another bot or by hand, so this bot neither checks them nor takes the role away.
      </p>
      <NameList title="Who they are" members={members ?? []} total={count} />
    </Part>
  );
}
