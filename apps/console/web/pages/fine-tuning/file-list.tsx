import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { formatCount } from '../../format/numbers';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { text } from './text';
import { type TrainingFile } from './tuning';

const words = text.files;

/** The files that jobs train with. API keys upload and delete them. */
export function FileList(): ReactElement {
  const pages = usePages();
  const files = useRead('/fine-tuning/files', { params: { query: pages.query } }, { keepsPrevious: true });
  return <PagedTable of={files} pages={pages} columns={columns} words={words} />;
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
