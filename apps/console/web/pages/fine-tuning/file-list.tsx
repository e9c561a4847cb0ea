import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../app/pages-of-list';
import { formatCount } from '../../format/numbers';
import { Result } from '../../ui/states/result';
import { Empty } from '../../ui/states/states';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { text } from './text';
import { PAGE_SIZE, type TrainingFile } from './tuning';

const words = text.files;

/** The files that jobs train with. API keys upload and delete them. */
export function FileList(): ReactElement {
  const pages = usePages();
  const query = { limit: PAGE_SIZE, cursor: pages.cursor };
  const files = useRead('/fine-tuning/files', { params: { query } }, { keepsPrevious: true });
  return (
    <Result of={files} lines={6}>
      {({ data, next_cursor: next }) => (
        <>
          {data.length > 0 || next !== null ? (
            <DataTable
              caption={words.caption}
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              isStale={files.isPlaceholderData}
            />
          ) : (
            <Empty title={words.emptyTitle}>{words.empty}</Empty>
          )}
          <Pagination pages={pages} nextCursor={next} />
        </>
      )}
    </Result>
  );
}

const columns: readonly Column<TrainingFile>[] = [
  {
    key: 'name',
    header: words.columns.name,
    wraps: true,
    cell: ({ id, filename }) => (
      <>
        <Name>{filename}</Name> <Id id={id} isShort />
      </>
    ),
  },
  {
    key: 'examples',
    header: words.columns.examples,
    align: 'end',
    cell: ({ line_count: lines }) => formatCount(lines),
  },
  {
    key: 'tokens',
    header: words.columns.tokens,
    align: 'end',
    cell: ({ token_count: tokens }) => formatCount(tokens),
  },
  {
    key: 'used',
    header: words.columns.used,
    cell: ({ last_used_at: at }) => (at === null ? words.never : <Time at={at} />),
  },
  { key: 'expires', header: words.columns.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
];
