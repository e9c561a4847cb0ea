import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { pricePerMillion } from '../../format/price';
import { visibleText } from '../../format/visible-text';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PageLink } from '../../ui/page-link';
import { Id, Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { JobEvents } from './job-events';
import { JobLosses } from './job-losses';
import { fineTuningJobRoute, fineTuningRoute } from './route';
import { StateBadge } from './state-badge';
import { text } from './text';
import { isOpen, PROGRESS_MS, type Job } from './tuning';

type Fact = readonly [term: string, value: ReactNode];
const words = text.job;
const parent = <Link to={fineTuningRoute.to}>{text.title}</Link>;

/** Read again while it is open: what comes of it appears without a reload. */
export function JobPage(): ReactElement {
  const { jobId } = fineTuningJobRoute.useParams();
  const params = { path: { fine_tuning_job_id: jobId } };
  const everyMs = (job: Job) => isOpen(job) && PROGRESS_MS;
  const job = useRead('/fine-tuning/jobs/{fine_tuning_job_id}', { params }, { everyMs });
  return (
    <ReadPage of={job} words={words} parent={parent}>
      {(data) => <OneJob job={data} />}
    </ReadPage>
  );
}

function OneJob({ job }: { readonly job: Job }): ReactElement {
  const canWrite = useCan('fine_tuning:write');
  return (
    <Page
      title={job.suffix === null ? job.model : `${job.model} · ${job.suffix}`}
      parent={parent}
      subtitle={<StateBadge of={job} />}
      actions={canWrite && <CancelJob job={job} />}
    >
      <JobFacts job={job} />
      <JobCost job={job} />
      <JobLosses job={job} />
      <JobEvents job={job} />
    </Page>
  );
}

const chosen = (value: number | 'auto'): string => (value === 'auto' ? words.auto : String(value));

function JobFacts({ job }: { readonly job: Job }): ReactElement {
  const { hyperparameters: given, fine_tuned_model: result, completed_at: ended } = job;
  const { estimated_finish_at: finish, validation_file: validation, failure_code: code } = job;
  const facts: readonly Fact[] = [
    [words.id, <Id key="" id={job.id} />],
    [words.model, <Name key="">{job.model}</Name>],
    [words.place, visibleText(text.models.place(job.provider, job.region))],
    ...(result === null ? [] : [[words.result, <ResultModel key="" model={result} />] as const]),
    ...(code === null
      ? []
      : [[words.why, `${words.failures[code]} ${visibleText(job.failure_message ?? '')}`] as const]),
    [words.file, <Id key="" id={job.training_file} isShort />],
    ...(validation === null ? [] : [[words.validation, <Id key="" id={validation} isShort />] as const]),
    [words.epochs, String(given.n_epochs)],
    [words.batch, chosen(given.batch_size)],
    [words.rate, chosen(given.learning_rate_multiplier)],
    [words.seed, String(job.seed)],
    [words.created, <Time key="" at={job.created_at} as="instant" />],
    ...(finish === null || ended !== null ? [] : [[words.finish, <Time key="" at={finish} />] as const]),
    ...(ended === null ? [] : [[words.ended, <Time key="" at={ended} as="instant" />] as const]),
  ];
  return (
    <Section title={words.facts}>
      <Facts of={facts} />
    </Section>
  );
}

const ResultModel = ({ model }: { readonly model: string }): ReactElement => (
  <>
    <Name>{model}</Name>{' '}
    <PageLink to="/playground" search={{ model }}>
      {words.use}
    </PageLink>
  </>
);

function JobCost({ job }: { readonly job: Job }): ReactElement {
  const { trained_tokens: trained } = job;
  return (
    <Section title={words.cost}>
      <Facts
        of={[
          isOpen(job)
            ? [words.held, <Money key="" amount={job.held_nanos} as="detail" />]
            : [words.charged, <Money key="" amount={job.charged_nanos} as="detail" />],
          [words.trained, trained === null ? words.unknown : words.tokens(trained)],
          [words.price, words.priceOf(pricePerMillion(String(job.price_per_trained_token)) ?? '')],
        ]}
      />
      {isOpen(job) && <p className="muted">{words.open}</p>}
    </Section>
  );
}

function CancelJob({ job }: { readonly job: Job }): ReactElement {
  const [isAsked, setAsked] = useState(false);
  const params = { path: { fine_tuning_job_id: job.id } };
  const cancel = useWrite((api) => api.post('/fine-tuning/jobs/{fine_tuning_job_id}/cancel', { params }), {
    changes: ['/fine-tuning/jobs', '/audit-log'],
    says: text.cancel.done,
  });
  return (
    <>
      <Button disabledReason={isOpen(job) ? null : text.cancel.ended} onClick={() => setAsked(true)}>
        {text.cancel.action}
      </Button>
      <ConfirmWrite isOpen={isAsked} onClose={() => setAsked(false)} words={text.cancel} write={cancel} />
    </>
  );
}
