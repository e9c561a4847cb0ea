import { type Id } from '@svc/kernel';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Time } from '../../ui/text/time';
import { defaultDocument, documentOf, type Policy, type PolicyDocument, type PolicyVersion } from './policy';
import { PolicyChanges } from './policy-changes';
import { policyVersionRoute } from './route';
import { SavePolicy } from './save-policy';
import { text } from './text';
import { WrittenBy } from './written-by';

const words = text.versions;

interface VersionsProps {
  readonly current: Policy;
  readonly onOutdated: () => void;
}

/** All versions, newest first, each with what it changed. */
export function Versions({ current, onOutdated }: VersionsProps): ReactElement {
  const pages = usePages();
  const [restored, setRestored] = useState<PolicyVersion | null>(null);
  const versions = useRead('/policy/versions', { params: { query: pages.query } }, { keepsPrevious: true });
  const columns = useColumns(versions.data, current.version, setRestored);
  const close = () => setRestored(null);
  return (
    <Section title={words.title}>
      <PagedTable of={versions} pages={pages} lines={4} columns={columns} words={words} />
      {restored !== null && (
        <SavePolicy
          base={current}
          document={documentOf(restored)}
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

interface PageOfVersions {
  readonly data: readonly PolicyVersion[];
  readonly next_cursor: string | null;
}

function useColumns(
  page: PageOfVersions | undefined,
  currentVersion: number,
  onRestore: (version: PolicyVersion) => void,
): readonly Column<PolicyVersion>[] {
  const { data: rows = [], next_cursor: nextCursor = null } = page ?? {};
  const canWrite = useCan('policy:write');
  // The last row's changes need the first row of the next page.
  const further = useRead(
    '/policy/versions',
    { params: { query: { limit: 1, ...(nextCursor !== null && { cursor: nextCursor }) } } },
    { enabled: nextCursor !== null },
  );
  const all = nextCursor === null ? rows : [...rows, ...(further.data?.data ?? [])];
  const beforeOf = ({ version }: PolicyVersion) => all.find((other) => other.version === version - 1);
  return [
    {
      key: 'version',
      header: words.version,
      cell: (version) => (
        <>
          <VersionLink version={version} before={beforeOf(version)} />{' '}
          {version.version === currentVersion && <Badge tone="good">{words.current}</Badge>}
        </>
      ),
    },
    {
      key: 'changes',
      header: words.changes,
      wraps: true,
      cell: (version) => <ChangesFrom before={beforeOf(version)} version={version} />,
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
                <Button aria-label={words.restoreOne(version.version)} onClick={() => onRestore(version)}>
                  {words.restore}
                </Button>
              ),
          },
        ]
      : []),
  ];
}

interface VersionAndBefore {
  readonly version: PolicyVersion;
  readonly before: PolicyVersion | undefined;
}

const VersionLink = ({ version, before }: VersionAndBefore): ReactElement => (
  <Link
    to={policyVersionRoute.to}
    params={{ policyId: version.id }}
    search={{ before: before?.id as Id<'policy'> | undefined }}
  >
    {words.name(version.version)}
  </Link>
);

function ChangesFrom({ before, version }: VersionAndBefore): ReactElement {
  const from: PolicyDocument | undefined = version.version === 1 ? defaultDocument : before;
  return from === undefined ? <>{words.reading}</> : <PolicyChanges from={from} to={version} />;
}
