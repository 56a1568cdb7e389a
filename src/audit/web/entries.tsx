import * as z from 'zod/mini';
import { instantInWords } from '../../ui/age-in-words.ts';
import { Age } from '../../ui/age.tsx';
import { list, oneOf, orNull, part, rowId, text, textOrNone, time } from '../../ui/api/answer-schema.ts';
import { Badge } from '../../ui/badge.tsx';
import { actionInWords, type Change, differenceOf, inOneLine } from './difference.ts';

const fields = orNull(z.record(z.string(), z.unknown()));

const auditEntry = z.object({
  id: rowId,
  at: time,
  actor: part({ kind: oneOf('admin', 'user', 'telegram', 'discord', 'system', 'command'), name: textOrNone }),
  action: textOrNone,
  subject: part({ id: text, label: textOrNone }),
  before: fields,
  after: fields,
});
type AuditEntry = z.infer<typeof auditEntry>;

/** GET /api/audit (rulings R6). */
export const auditPage = z.object({ entries: list(auditEntry), nextBefore: orNull(rowId) });

type ActorKind = NonNullable<NonNullable<AuditEntry['actor']>['kind']>;

const kinds: Readonly<Record<ActorKind, string>> = {
  admin: 'Admin',
  user: 'User',
  telegram: 'Telegram',
  discord: 'Discord',
  system: 'System',
  command: 'Command line',
};

interface EntryProps {
  readonly entry: AuditEntry;
  /** Pressing a name narrows the log to it. */
  readonly onNarrow: (to: Readonly<Partial<Record<'actor' | 'action' | 'subject', string>>>) => void;
}

export function Entry({ entry, onNarrow }: EntryProps) {
  const { at, actor, action, subject, before, after } = entry;
  return (
    <li className="audit-entry">
      <p className="audit-when">
        {at === null ? (
          'Time not known'
        ) : (
          <>
            <Age asOf={at} /> <span className="audit-exact">{instantInWords(at)}</span>
          </>
        )}
      </p>
      <div className="audit-who">
        {actor === null ? 'Not known' : <Narrow text={actor.name} onClick={() => onNarrow({ actor: actor.name })} />}
        {actor !== null && actor.kind !== null && <Badge>{kinds[actor.kind]}</Badge>}
      </div>
      <div className="audit-what">
        <p>
          <Narrow text={actionInWords(action)} onClick={() => onNarrow({ action })} />
          {subject !== null && (
            <>
              <span className="text-quiet">: </span>
              <Narrow text={subject.label} onClick={() => onNarrow({ subject: subject.id ?? subject.label })} />
            </>
          )}
        </p>
        <Difference changes={differenceOf(before, after)} isChange={before !== null && after !== null} />
      </div>
    </li>
  );
}

const Narrow = ({ text, onClick }: { readonly text: string; readonly onClick: () => void }) => (
  <button type="button" className="audit-narrow" onClick={onClick} title={`Show only: ${text}`}>
    {text}
  </button>
);

interface DifferenceProps {
  readonly changes: readonly Change[];
  /** Something was there before and is after: the two are compared, field by field. */
  readonly isChange: boolean;
}

/** What was created or deleted has many fields and no other side: one line of them, all of them on demand. */
function Difference({ changes, isChange }: DifferenceProps) {
  if (changes.length === 0) return null;
  if (isChange) return <Fields changes={changes} />;
  const { line, isAll } = inOneLine(changes);
  return (
    <>
      {line !== '' && <p className="audit-line">{line}</p>}
      {!isAll && (
        <details className="audit-fold">
          <summary>Details</summary>
          <Fields changes={changes} />
        </details>
      )}
    </>
  );
}

const Fields = ({ changes }: { readonly changes: readonly Change[] }) => (
  <dl className="audit-changes">
    {changes.map(({ field, before, after }) => (
      <div key={field}>
        <dt>{field}</dt>
        <dd>
          {before !== null && <del>{before}</del>}
          {before !== null && after !== null && (
            <>
              <span aria-hidden="true"> → </span>
              <span className="sr-only"> became </span>
            </>
          )}
          {after !== null && <ins>{after}</ins>}
        </dd>
      </div>
    ))}
  </dl>
);
