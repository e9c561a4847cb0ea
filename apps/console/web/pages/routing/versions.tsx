import { type Id } from '@svc/kernel';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { usePages } from '../../browser/pages-of-list';
import { Section } from '../../frame/page';
import { defaultOf, documentOf, type PolicyDocument, type PolicyVersion } from '../../policies/policy';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Time } from '../../ui/text/time';
import { type EditorProps } from './editor';
import { ownerAddress, type PolicyOwner } from './owner';
import { usePolicyVersions, type PageOfVersions } from './policy-api';
import { PolicyChanges } from './policy-changes';
import { policyVersionRoute } from './route';
import { SavePolicy } from './save-policy';
import { text } from './text';
import { WrittenBy } from './written-by';

const words = text.versions;

/** All versions, newest first, each with what it changed. */
export function Versions({ owner, current, lock, onOutdated }: EditorProps): ReactElement {
  const pages = usePages();
  const [restored, setRestored] = useState<PolicyVersion | null>(null);
  const versions = usePolicyVersions(owner, pages.query, { keepsPrevious: true });
  const columns = useColumns(versions.data, {
    owner,
    lock,
    currentVersion: current.version,
    onRestore: setRestored,
  });
  const close = () => setRestored(null);
  return (
    <Section title={words.title}>
      <PagedTable
        of={versions}
        pages={pages}
        lines={4}
        columns={columns}
        words={{ ...words, empty: words.empty[owner.level] }}
      />
      {restored !== null && (
        <SavePolicy
          owner={owner}
          base={current}
          document={documentOf(owner.level, restored)}
          restores={restored.version}
          isOpen
          onClose={close}
          onSaved={close}
          onOutdated={onOutdated}
        />
      )}
    </Section>
  );
}

interface ColumnFacts extends Pick<EditorProps, 'owner' | 'lock'> {
  readonly currentVersion: number;
  readonly onRestore: (version: PolicyVersion) => void;
}

function useColumns(page: PageOfVersions | undefined, facts: ColumnFacts): readonly Column<PolicyVersion>[] {
  const { owner, lock, currentVersion, onRestore } = facts;
  const { data: rows = [], next_cursor: nextCursor = null } = page ?? {};
  const canWrite = useCan('policy:write');
  // The last row's changes need the first row of the next page.
  const next = { limit: 1, ...(nextCursor !== null && { cursor: nextCursor }) };
  const further = usePolicyVersions(owner, next, { enabled: nextCursor !== null });
  const all = nextCursor === null ? rows : [...rows, ...(further.data?.data ?? [])];
  const beforeOf = ({ version }: PolicyVersion) => all.find((other) => other.version === version - 1);
  return [
    {
      key: 'version',
      header: words.version,
      cell: (version) => (
        <>
          <VersionLink owner={owner} version={version} before={beforeOf(version)} />{' '}
          {version.version === currentVersion && <Badge tone="good">{words.current}</Badge>}
        </>
      ),
    },
    {
      key: 'changes',
      header: words.changes,
      wraps: true,
      cell: (version) => <ChangesFrom owner={owner} before={beforeOf(version)} version={version} />,
    },
    { key: 'by', header: words.by, cell: ({ created_by: by }) => <WrittenBy userId={by} /> },
    { key: 'at', header: words.at, cell: ({ created_at: at }) => <Time at={at} /> },
    ...(canWrite
      ? [
          {
            key: 'restore',
            header: words.actions,
            cell: (version: PolicyVersion) =>
              version.version !== currentVersion && (
                <Button
                  aria-label={words.restoreOne(version.version)}
                  disabledReason={lock}
                  onClick={() => onRestore(version)}
                >
                  {words.restore}
                </Button>
              ),
          },
        ]
      : []),
  ];
}

interface VersionAndBefore {
  readonly owner: PolicyOwner;
  readonly version: PolicyVersion;
  readonly before: PolicyVersion | undefined;
}

const VersionLink = ({ owner, version, before }: VersionAndBefore): ReactElement => (
  <Link
    to={policyVersionRoute.to}
    params={{ policyId: version.id }}
    search={{ before: before?.id as Id<'policy'> | undefined, ...ownerAddress(owner) }}
  >
    {words.name(version.version)}
  </Link>
);

function ChangesFrom({ owner, before, version }: VersionAndBefore): ReactElement {
  const from: PolicyDocument | undefined = version.version === 1 ? defaultOf(owner.level) : before;
  return from === undefined ? <>{words.reading}</> : <PolicyChanges from={from} to={version} />;
}
