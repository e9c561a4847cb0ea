import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Section } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { visibleLines } from '../../format/visible-text';
import { Badge } from '../../ui/badge/badge';
import { Result } from '../../ui/states/result';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Time } from '../../ui/text/time';
import { text } from './text';
import { isOpen, PAGE_SIZE, type Job, type JobEvent } from './tuning';
import { SAID_MS, useReadAtEnd } from './use-progress';

const words = text.events;
const tones = { info: 'neutral', warn: 'warn', error: 'bad' } as const;

/** What a job says, newest first; read again while it is open. */
export function JobEvents({ job }: { readonly job: Job }): ReactElement {
  const pages = usePages();
  const params = {
    path: { fine_tuning_job_id: job.id },
    query: { limit: PAGE_SIZE, cursor: pages.cursor },
  };
  const events = useRead(
    '/fine-tuning/jobs/{fine_tuning_job_id}/events',
    { params },
    { keepsPrevious: true, everyMs: isOpen(job) && SAID_MS },
  );
  useReadAtEnd(job, events);
  return (
    <Section title={words.title}>
      <Result of={events} lines={6}>
        {({ data, next_cursor: next }) => (
          <>
            {data.length === 0 ? (
              <p className="muted">{words.none}</p>
            ) : (
              <DataTable
                caption={words.title}
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                isStale={events.isPlaceholderData}
              />
            )}
            <Pagination pages={pages} nextCursor={next} />
          </>
        )}
      </Result>
    </Section>
  );
}

const columns: readonly Column<JobEvent>[] = [
  { key: 'at', header: words.columns.at, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    key: 'level',
    header: words.columns.level,
    cell: ({ level }) => <Badge tone={tones[level]}>{words.levels[level]}</Badge>,
  },
  {
    key: 'message',
    header: words.columns.message,
    wraps: true,
    cell: ({ message }) => visibleLines(message),
  },
];
