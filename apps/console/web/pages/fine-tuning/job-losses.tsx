import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Lines, type NamedLine } from '../../charts/lines';
import { Section } from '../../frame/page';
import { Result } from '../../ui/states/result';
import { text } from './text';
import { isOpen, type Job, type Loss } from './tuning';
import { SAID_MS, useReadAtEnd } from './use-progress';

const words = text.losses;

/** How the losses of a job went, as far as its provider has told. */
export function JobLosses({ job }: { readonly job: Job }): ReactElement {
  const losses = useRead(
    '/fine-tuning/jobs/{fine_tuning_job_id}/losses',
    { params: { path: { fine_tuning_job_id: job.id } } },
    { everyMs: isOpen(job) && SAID_MS },
  );
  useReadAtEnd(job, losses);
  return (
    <Section title={words.title}>
      <Result of={losses} lines={8}>
        {({ data }) => <LossChart of={data} />}
      </Result>
    </Section>
  );
}

function LossChart({ of: losses }: { readonly of: readonly Loss[] }): ReactElement {
  const lines: readonly NamedLine[] = [
    { label: words.training, values: losses.map(({ train_loss: loss }) => loss) },
    { label: words.validation, values: losses.map(({ valid_loss: loss }) => loss) },
  ].filter(({ values }) => values.some((value) => value !== null));
  const [main] = lines;
  if (main === undefined) return <p className="muted">{words.none}</p>;
  const told = main.values.filter((value) => value !== null);
  const { step = 0 } = losses.at(-1) ?? {};
  return (
    <Lines
      title={words.title}
      finding={words.finding(main.label, told[0] ?? 0, told.at(-1) ?? 0, step)}
      labels={losses.map((loss) => words.step(loss.step))}
      labelHeader={words.header}
      lines={lines}
      format={words.loss}
    />
  );
}
