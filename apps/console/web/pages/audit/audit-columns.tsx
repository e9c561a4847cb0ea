import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { fieldWords, shownValue } from '../../changes/text';
import { Badge } from '../../ui/badge/badge';
import { type Column } from '../../ui/table/data-table';
import { Id } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { changesOf, type AuditEntry } from './entry';
import { auditRoute } from './route';
import { actorName, sentenceOf } from './sentence';
import { TargetLink } from './target-link';
import { text } from './text';
import styles from './audit.module.css';

export const columns: readonly Column<AuditEntry>[] = [
  { key: 'what', header: text.columns.what, wraps: true, cell: (entry) => <What entry={entry} /> },
  { key: 'at', header: text.columns.at, cell: ({ created_at: at }) => <Time at={at} /> },
  { key: 'actor', header: text.columns.actor, cell: (entry) => <Who entry={entry} /> },
  { key: 'target', header: text.columns.target, cell: (entry) => <TargetLink entry={entry} /> },
  {
    key: 'request',
    header: text.columns.request,
    cell: ({ request_id: id }) => (id === null ? text.byService : <Id id={id} isShort />),
  },
];

/** The sentence. Opened, it shows what changed, and where to go on: to all of the action, to all of the target. */
function What({ entry }: { readonly entry: AuditEntry }): ReactElement {
  const { action, target, approval_request_id: approval } = entry;
  return (
    <details>
      <summary>
        {sentenceOf(entry)} {approval !== null && <Badge>{text.approved}</Badge>}
      </summary>
      <div className={styles.below}>
        <Changes entry={entry} />
        <Link to={auditRoute.to} search={(before) => ({ ...before, action })}>
          <code>{action}</code>
        </Link>
        {' · '}
        <Link to={auditRoute.to} search={(before) => ({ ...before, target: target.id })}>
          {text.onlyTarget}
        </Link>
      </div>
    </details>
  );
}

/** The name of who made the change; kind and id are in its tip. */
function Who({ entry }: { readonly entry: AuditEntry }): ReactElement {
  const { type, id } = entry.actor;
  const name = actorName(entry);
  if (id === null) return <>{name}</>;
  return (
    <Link
      to={auditRoute.to}
      search={(before) => ({ ...before, actor: id })}
      data-tip={text.actor(text.actors[type], id)}
      translate="no"
    >
      {name}
    </Link>
  );
}

function Changes({ entry }: { readonly entry: AuditEntry }): ReactElement | null {
  const changes = changesOf(entry);
  if (changes.length === 0) return null;
  const isNew = entry.action.endsWith('.create');
  return (
    <ul className={styles.changes}>
      {changes.map(({ field, from, to }) => (
        <li key={field}>
          {from === null && to === null
            ? text.secret(fieldWords(field))
            : isNew && from === null
              ? text.set(fieldWords(field), shownValue(field, to))
              : text.change(fieldWords(field), shownValue(field, from), shownValue(field, to))}
        </li>
      ))}
    </ul>
  );
}
