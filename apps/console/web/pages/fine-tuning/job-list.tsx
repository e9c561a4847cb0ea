import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../app/pages-of-list';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar } from '../../ui/filters/filter-bar';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { fineTuningJobRoute, fineTuningRoute } from './route';
import { StateBadge } from './state-badge';
import { stateWords, text } from './text';
import { isOpen, jobStates, PAGE_SIZE, PROGRESS_MS, type Job } from './tuning';

const words = text.jobs;

/** The jobs, newest first; read again while one is open. */
export function JobList(): ReactElement {
  const { state } = fineTuningRoute.useSearch();
  const navigate = fineTuningRoute.useNavigate();
  const pages = usePages();
  const query = { state, limit: PAGE_SIZE, cursor: pages.cursor };
  const jobs = useRead(
    '/fine-tuning/jobs',
    { params: { query } },
    { keepsPrevious: true, everyMs: ({ data }) => data.some(isOpen) && PROGRESS_MS },
  );
  return (
    <>
      <StateFilter />
      <Result of={jobs} lines={6}>
        {({ data, next_cursor: next }) => (
          <>
            {data.length > 0 || next !== null ? (
              <DataTable
                caption={words.caption}
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                isStale={jobs.isPlaceholderData}
              />
            ) : state === undefined ? (
              <Empty title={words.emptyTitle}>{words.empty}</Empty>
            ) : (
              <NoMatch what={words.what} onClear={() => void navigate({ search: {} })} />
            )}
            <Pagination pages={pages} nextCursor={next} />
          </>
        )}
      </Result>
    </>
  );
}

function StateFilter(): ReactElement {
  const { state } = fineTuningRoute.useSearch();
  const navigate = fineTuningRoute.useNavigate();
  return (
    <FilterBar
      onClearAll={() => void navigate({ search: {} })}
      filters={[
        choiceFilter({
          key: 'state',
          label: words.filter,
          value: state,
          choices: jobStates,
          words: stateWords,
          onChange: (next) => void navigate({ search: (before) => ({ ...before, state: next }) }),
        }),
      ]}
    />
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

/** What is held while it is open, and what was charged once it has ended. */
function Cost({ of: job }: { readonly of: Job }): ReactElement {
  if (!isOpen(job)) return <Money amount={job.charged_nanos} />;
  return (
    <>
      {words.atMost} <Money amount={job.held_nanos} />
    </>
  );
}
