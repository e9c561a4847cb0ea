import { isId, type IdKind } from '@svc/kernel';
import { type ReactElement } from 'react';
import { targetName } from '../../changes/target';
import { useIdPaths } from '../../frame/page-links';
import { PageLink } from '../../ui/page-link';
import { type AuditEntry } from './entry';

interface ListPage {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** The lists that have what has no page of its own, by the kind of the target. */
const lists: Readonly<Record<string, ListPage>> = {
  organization: { to: '/settings' },
  member: { to: '/members' },
  invitation: { to: '/members', search: { tab: 'invitations' } },
  provider_credential: { to: '/provider-credentials' },
  grant: { to: '/oauth-apps', search: { tab: 'grants' } },
  approval_policy: { to: '/approvals', search: { tab: 'policies' } },
  export: { to: '/exports' },
  credit_grant: { to: '/wallet', search: { tab: 'grants' } },
  payment: { to: '/wallet', search: { tab: 'payments' } },
  payment_method: { to: '/wallet', search: { tab: 'auto-top-up' } },
  auto_top_up: { to: '/wallet', search: { tab: 'auto-top-up' } },
  file: { to: '/fine-tuning', search: { tab: 'files' } },
  fine_tuning_model: { to: '/fine-tuning', search: { tab: 'models' } },
  integration_delivery: { to: '/integrations' },
};

/** The target's name and kind, with a link where it has a page, or a list, that the role may see. */
export function TargetLink({ entry }: { readonly entry: AuditEntry }): ReactElement {
  const { id, type } = entry.target;
  const page = useIdPaths().find(({ kind }) => isId(kind as IdKind, id));
  const name = targetName(entry.target);
  const list = Object.hasOwn(lists, type) ? lists[type] : undefined;
  if (list !== undefined) return <PageLink {...list}>{name}</PageLink>;
  if (page === undefined) return <>{name}</>;
  const parameter = /\$(\w+)$/.exec(page.path)?.[1] ?? '';
  return (
    <PageLink to={page.path} params={{ [parameter]: id }} search={ownerOf(entry)}>
      {name}
    </PageLink>
  );
}

/** The project or key whose policy was written: the page of a version is found by it. */
function ownerOf({ target, changes }: AuditEntry): Readonly<Record<string, string | undefined>> {
  if (target.type !== 'policy') return {};
  return { project: textOf(changes['project_id']?.to), key: textOf(changes['api_key_id']?.to) };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
