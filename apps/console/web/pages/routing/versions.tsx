import { type Id } from '@svc/kernel';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { Section } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Time } from '../../ui/text/time';
import { defaultDocument, documentOf, type Policy, type PolicyDocument, type PolicyVersion } from './policy';
import { PolicyChanges } from './policy-changes';
import { policyVersionRoute } from './route';
import { SavePolicy } from './save-policy';
import { text } from './text';
import { WrittenBy } from './written-by';

const PAGE_SIZE = 50;
const words = text.versions;

export interface VersionsProps {
  readonly current: Policy;
  readonly onOutdated: () => void;
}

/** All versions, newest first, each with what it changed. */
export function Versions({ current, onOutdated }: VersionsProps): ReactElement {
  const pages = usePages();
  const [restored, setRestored] = useState<PolicyVersion | null>(null);
  const query = { limit: PAGE_SIZE, cursor: pages.cursor };
  const versions = useRead('/policy/versions', { params: { query } }, { keepsPrevious: true });
  const close = () => setRestored(null);
  return (
    <Section title={words.title}>
      <Result of={versions} lines={4}>
        {({ data, next_cursor }) => (
          <>
            <VersionRows
              rows={data}
              nextCursor={next_cursor}
              currentVersion={current.version}
              isStale={versions.isPlaceholderData}
              onRestore={setRestored}
            />
            <Pagination pages={pages} nextCursor={next_cursor} />
          </>
        )}
      </Result>
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

interface VersionRowsProps {
  readonly rows: readonly PolicyVersion[];
  readonly nextCursor: string | null;
  readonly currentVersion: number;
  readonly isStale: boolean;
  readonly onRestore: (version: PolicyVersion) => void;
}

function VersionRows(props: VersionRowsProps): ReactElement {
  const { rows, nextCursor, currentVersion, isStale, onRestore } = props;
  const canWrite = useCan('policy:write');
  // The last row's changes need the first row of the next page.
  const further = useRead(
    '/policy/versions',
    { params: { query: { limit: 1, ...(nextCursor !== null && { cursor: nextCursor }) } } },
    { enabled: nextCursor !== null },
  );
  const all = nextCursor === null ? rows : [...rows, ...(further.data?.data ?? [])];
  const beforeOf = ({ version }: PolicyVersion) => all.find((other) => other.version === version - 1);
  if (rows.length === 0) return <p className="muted">{words.empty}</p>;
  const columns: readonly Column<PolicyVersion>[] = [
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
  return (
    <DataTable
      caption={words.caption}
      rows={rows}
      rowKey={({ id }) => id}
      columns={columns}
      isStale={isStale}
    />
  );
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
