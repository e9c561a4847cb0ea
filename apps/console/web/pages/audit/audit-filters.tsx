import { type ReactElement } from 'react';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { picks } from '../../frame/pick-filter';
import { useList } from '../../frame/use-list';
import { type AuditEntry } from './entry';
import { auditList } from './list';
import { text } from './text';
import { useAuditNames } from './use-audit-names';

const { filters: labels, hints } = text;
const { actor, target } = auditList.address;

/** The filters of the log. Who and what are chosen by name. */
export function AuditFilters({ entries }: { readonly entries: readonly AuditEntry[] }): ReactElement {
  const { search } = useList(auditList);
  const names = useAuditNames(entries, [search.actor, search.target]);
  const shown = (id: string) => visibleText(names.get(id) ?? shortId(id));
  return (
    <ListFilters
      of={auditList}
      chips={{
        action: { label: labels.action, hint: hints.action },
        actor: {
          label: labels.actor,
          editor: picks('actor', { label: labels.actor, hint: hints.actor, takes: actor }),
          shown,
        },
        target: {
          label: labels.target,
          editor: picks('target', { label: labels.target, hint: hints.target, takes: target }),
          shown,
        },
        after: { label: labels.after },
        before: { label: labels.before },
      }}
    />
  );
}
