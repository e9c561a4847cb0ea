import { type ReactElement } from 'react';
import { formatDuration } from '../format/numbers';
import { DataTable } from '../ui/table/data-table';
import { Name } from '../ui/text/id';
import { Time } from '../ui/text/time';
import { type Attempt } from './delivery';
import { text } from './text';

const words = text.delivery;

/** Every ended attempt of every round, as they came. What a receiver answered is shown as text. */
export function Attempts({ of }: { readonly of: readonly Attempt[] }): ReactElement {
  if (of.length === 0) return <p className="muted">{words.noAttempts}</p>;
  const columns = words.columns;
  return (
    <DataTable
      caption={words.attempts}
      rows={of}
      rowKey={({ round, attempt }) => `${String(round)}.${String(attempt)}`}
      columns={[
        {
          key: 'attempt',
          header: columns.attempt,
          cell: ({ attempt, round }) => words.attempt(attempt, round),
        },
        { key: 'at', header: columns.at, cell: ({ at }) => <Time at={at} as="instant" /> },
        {
          key: 'result',
          header: columns.result,
          wraps: true,
          cell: ({ status_code: status, error }) =>
            status === null ? words.cause(error ?? '') : words.answered(status),
        },
        {
          key: 'duration',
          header: columns.duration,
          align: 'end',
          cell: ({ duration_ms: ms }) => (ms === null ? '–' : formatDuration(ms)),
        },
        {
          key: 'excerpt',
          header: columns.excerpt,
          wraps: true,
          cell: ({ response_excerpt: excerpt }) =>
            excerpt === null || excerpt === '' ? words.noExcerpt : <Name>{excerpt}</Name>,
        },
      ]}
    />
  );
}
