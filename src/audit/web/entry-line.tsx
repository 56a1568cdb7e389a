import { Age } from '../../web/ui/age.tsx';
import { Badge } from '../../web/ui/badge.tsx';
import type { ListedAuditEntry } from '../contract.ts';
import { actionInWords, type Change, differenceOf } from './difference.ts';
import type { Filters } from './filters.ts';

const kinds: Readonly<Record<ListedAuditEntry['actor']['kind'], string>> = {
  admin: 'Admin',
  user: 'User',
  telegram: 'Telegram',
  discord: 'Discord',
  system: 'System',
  command: 'Command line',
};

interface EntryLineProps {
  readonly entry: ListedAuditEntry;
  /** Shows only what shares this entry's actor, action or subject. */
  readonly onNarrow: (narrower: Partial<Filters>) => void;
}

/** Who did what to what, when, and the difference it made. */
export function AuditEntryLine({ entry, onNarrow }: EntryLineProps) {
  const { at, actor, action, subject } = entry;
  return (
    <li className="audit-entry">
      <Age asOf={at} className="audit-when" />
      <div className="audit-who">
        <Narrow text={actor.name} onClick={() => onNarrow({ actor: actor.name })} />
        <Badge>{kinds[actor.kind]}</Badge>
      </div>
      <div className="audit-what">
        <p>
          <Narrow text={actionInWords(action)} onClick={() => onNarrow({ action })} />
          <span className="text-quiet">: </span>
          <Narrow text={subject.label} onClick={() => onNarrow({ subject: subject.id })} />
        </p>
        <Difference changes={differenceOf(entry.before, entry.after)} />
      </div>
    </li>
  );
}

function Narrow({ text, onClick }: { readonly text: string; readonly onClick: () => void }) {
  return (
    <button type="button" className="audit-narrow" onClick={onClick} title={`Show only: ${text}`}>
      {text}
    </button>
  );
}

function Difference({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) return null;
  return (
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
}
