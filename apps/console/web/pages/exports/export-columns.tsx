import { type ReactElement } from 'react';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { type Column } from '../../ui/table/data-table';
import { Time } from '../../ui/text/time';
import { DownloadButton, LinkButton } from './download';
import { type Export } from './export';
import { EndButton } from './end-export';
import { kindWords, sizeWords, stateWords, text } from './text';

const tones = {
  queued: 'accent',
  running: 'accent',
  completed: 'good',
  failed: 'bad',
  cancelled: 'neutral',
  expired: 'neutral',
} as const;
const headers = text.columns;

/** The columns of the list; what the role may not do is absent. */
export function useExportColumns(): readonly Column<Export>[] {
  const canWrite = useCan('export:write');
  return [
    { key: 'kind', header: headers.kind, cell: ({ kind }) => kindWords[kind] },
    { key: 'range', header: headers.range, cell: (one) => <Range of={one} /> },
    {
      key: 'state',
      header: headers.state,
      wraps: true,
      cell: ({ state, failure_code: code }) => (
        <>
          <Badge tone={tones[state]}>{stateWords[state]}</Badge> {code !== null && text.failures[code]}
        </>
      ),
    },
    {
      key: 'rows',
      header: headers.rows,
      align: 'end',
      cell: ({ row_count: rows, progress }) => text.rows(rows ?? progress.rows),
    },
    {
      key: 'size',
      header: headers.size,
      align: 'end',
      cell: ({ bytes }) => (bytes === null ? '—' : sizeWords(bytes)),
    },
    { key: 'created', header: headers.created, cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: 'expires',
      header: headers.expires,
      cell: ({ expires_at: at }) => (at === null ? '—' : <Time at={at} />),
    },
    {
      key: 'actions',
      header: headers.actions,
      cell: (one) => (
        <>
          {one.state === 'completed' && (
            <>
              <DownloadButton of={one} />
              <LinkButton of={one} />
            </>
          )}
          {canWrite && <EndButton of={one} />}
        </>
      ),
    },
  ];
}

function Range({ of: { start, end } }: { readonly of: Export }): ReactElement {
  if (start === null || end === null) return <>{text.wholeTime}</>;
  return (
    <>
      <Time at={start} as="instant" /> – <Time at={end} as="instant" />
    </>
  );
}
