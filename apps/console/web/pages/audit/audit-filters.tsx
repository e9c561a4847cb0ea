import { type ReactElement } from 'react';
import { shortId } from '../../format/ids';
import { ListFilters } from '../../frame/list-filters';
import { auditList } from './list';
import { text } from './text';

const { filters: labels, hints } = text;

export const AuditFilters = (): ReactElement => (
  <ListFilters
    of={auditList}
    chips={{
      action: { label: labels.action, hint: hints.action },
      actor: { label: labels.actor, hint: hints.actor, shown: shortId },
      target: { label: labels.target, hint: hints.target, shown: shortId },
      after: { label: labels.after },
      before: { label: labels.before },
    }}
  />
);
