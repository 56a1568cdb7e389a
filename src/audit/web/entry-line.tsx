import { instantInWords } from '../../ui/age-in-words.ts';
import { Age } from '../../ui/age.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { AuditEntry } from './audit-query.ts';
import { actionInWords, type Change, differenceOf, inOneLine } from './difference.ts';
import type { Filters } from './filters.tsx';

type ActorKind = NonNullable<NonNullable<AuditEntry['actor']>['kind']>;

const kinds: Readonly<Record<ActorKind, string>> = {
  admin: 'Admin',
  user: 'User',
  telegram: 'Telegram',
  discord: 'Discord',
  system: 'System',
  command: 'Command line',
};

interface EntryLineProps {
  readonly entry: AuditEntry;
  readonly onNarrow: (narrower: Partial<Filters>) => void;
}

export function AuditEntryLine({ entry, onNarrow }: EntryLineProps) {
  const { at, actor, action, subject, before, after } = entry;
  return (
    <li className="audit-entry">
      <p className="audit-when">{at === null ? 'Time not known' : <When at={at} />}</p>
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

const When = ({ at }: { readonly at: string }) => (
  <>
    <Age asOf={at} /> <span className="audit-exact">{instantInWords(at)}</span>
  </>
);

function Narrow({ text, onClick }: { readonly text: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="audit-narrow" onClick={onClick} title={`Show only: ${text}`}>
      {text}
    </button>
  );
}

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
