import { isId, type IdKind } from '@svc/kernel';
import { type ReactElement } from 'react';
import { PageLink } from '../../app/page-link';
import { useIdPaths } from '../../app/shell/page-links';
import { type AuditEntry } from './entry';
import { targetName } from './sentence';

/** The target's name and kind, with a link where it has a page that the role may see. */
export function TargetLink({ entry }: { readonly entry: AuditEntry }): ReactElement {
  const { id } = entry.target;
  const page = useIdPaths().find(({ kind }) => isId(kind as IdKind, id));
  const name = targetName(entry);
  if (page === undefined) return <>{name}</>;
  const parameter = /\$(\w+)$/.exec(page.path)?.[1] ?? '';
  return (
    <PageLink to={page.path} params={{ [parameter]: id }}>
      {name}
    </PageLink>
  );
}
