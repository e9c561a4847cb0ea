import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { visibleLines } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { Badge } from '../../ui/badge/badge';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Time } from '../../ui/text/time';
import { text } from './text';
import { isOpen, type Job, type JobEvent } from './tuning';
import { SAID_MS, useReadAtEnd } from './use-progress';

const words = text.events;
const tones = { info: 'neutral', warn: 'warn', error: 'bad' } as const;

/** Events of a job, newest first; read again while it is open. */
export function JobEvents({ job }: { readonly job: Job }): ReactElement {
  const pages = usePages();
  const params = { path: { fine_tuning_job_id: job.id }, query: pages.query };
  const events = useRead(
    '/fine-tuning/jobs/{fine_tuning_job_id}/events',
    { params },
    { keepsPrevious: true, everyMs: isOpen(job) && SAID_MS },
  );
  useReadAtEnd(job, events);
  return (
    <Section title={words.title}>
      <PagedTable
        of={events}
        pages={pages}
        columns={columns}
        words={{ caption: words.title, empty: words.none }}
      />
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
