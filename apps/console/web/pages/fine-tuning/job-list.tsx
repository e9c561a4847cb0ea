import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { FirstButton } from '../../frame/first-button';
import { ListFilters } from '../../frame/list-filters';
import { useList } from '../../frame/use-list';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { jobList } from './list';
import { fineTuningJobRoute } from './route';
import { StateBadge } from './state-badge';
import { stateWords, text } from './text';
import { isOpen, PROGRESS_MS, type Job } from './tuning';

const words = text.jobs;

/** The jobs, newest first; read again while one is open. */
export function JobList(): ReactElement {
  const list = useList(jobList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const jobs = useRead(
    '/fine-tuning/jobs',
    { params: { query } },
    { keepsPrevious: true, everyMs: ({ data }) => data.some(isOpen) && PROGRESS_MS },
  );
  return (
    <>
      <ListFilters of={jobList} chips={{ state: { label: words.filter, words: stateWords } }} />
      <PagedTable
        of={jobs}
        pages={pages}
        columns={columns}
        words={words}
        {...list.filtered}
        firstAction={<FirstButton opens="create" needs="fine_tuning:write" label={words.first} />}
      />
    </>
  );
}

const columns: readonly Column<Job>[] = [
  {
    key: 'job',
    header: words.columns.job,
    cell: ({ id, model, suffix }) => (
      <Link to={fineTuningJobRoute.to} params={{ jobId: id }}>
        <Name>{suffix === null ? model : `${model} · ${suffix}`}</Name>
      </Link>
    ),
  },
  { key: 'state', header: words.columns.state, cell: (job) => <StateBadge of={job} /> },
  {
    key: 'result',
    header: words.columns.result,
    wraps: true,
    cell: ({ fine_tuned_model: model }) => (model === null ? words.none : <Name>{model}</Name>),
  },
  { key: 'cost', header: words.columns.cost, align: 'end', cell: (job) => <Cost of={job} /> },
  { key: 'created', header: words.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
];

/** The hold of an open job, and the charge of one that has ended. */
function Cost({ of: job }: { readonly of: Job }): ReactElement {
  if (!isOpen(job)) return <Money amount={job.charged_nanos} />;
  return (
    <>
      {words.atMost} <Money amount={job.held_nanos} />
    </>
  );
}
