import { type ReactElement, useState } from 'react';
import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { formatCount, formatDuration, formatPercent } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { DataTable } from '../../ui/table/data-table';
import { Money } from '../../ui/text/money';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import styles from './routing.module.css';
import { text } from './text';

type Rollout = components['schemas']['Rollout'];
type Arm = components['schemas']['RolloutArm'];

const words = text.rollouts;
/** As often as the policy beside them. */
const READ_AGAIN_MS = 60_000;
const tones = { running: 'accent', aborted: 'bad', completed: 'good', removed: 'neutral' } as const;

/** The rollouts of the policy, the newest first: what they move, and how both arms do. None where the policy has none. */
export function Rollouts(): ReactElement | null {
  const { data } = useRead('/rollouts', {}, { everyMs: READ_AGAIN_MS });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Section title={words.title}>
      <p className="muted">{words.purpose}</p>
      {data.data.map((rollout) => (
        <OneRollout key={rollout.id} rollout={rollout} />
      ))}
    </Section>
  );
}

function OneRollout({ rollout }: { readonly rollout: Rollout }): ReactElement {
  const { name, state, reason, started_at: startedAt, ended_at: endedAt } = rollout;
  const canAbort = useCan('policy:write') && state === 'running';
  const [isAsked, setAsked] = useState(false);
  return (
    <article className={styles.rollout} aria-label={visibleText(name)}>
      <header className={styles.rolloutHead}>
        <h3>
          <Name>{name}</Name>
        </h3>
        <Badge tone={tones[state]}>{words.states[state]}</Badge>
        {canAbort && (
          <Button variant="danger" onClick={() => setAsked(true)}>
            {words.abort.open}
          </Button>
        )}
      </header>
      <p>{words.moves(rollout)}</p>
      <p className="muted">
        {words.started} <Time at={startedAt} />
        {endedAt !== null && (
          <>
            {' · '}
            {words.ended} <Time at={endedAt} />
          </>
        )}
        {reason !== null && ` · ${words.reasons[reason]}`}
      </p>
      <Arms rollout={rollout} />
      <Abort rollout={rollout} isOpen={isAsked} onClose={() => setAsked(false)} />
    </article>
  );
}

interface Figure {
  readonly name: string;
  readonly of: (arm: Arm) => ReactElement | string;
}

const figures: readonly Figure[] = [
  { name: words.figures.calls, of: ({ calls }) => formatCount(calls) },
  { name: words.figures.failed, of: ({ failed }) => formatCount(failed) },
  {
    name: words.figures.errorRate,
    of: ({ error_rate_bps: bps }) => (bps === null ? words.none : formatPercent(bps / 60_000)),
  },
  {
    name: words.figures.firstToken,
    of: ({ ttft_p95_ms: ms }) => (ms === null ? words.none : formatDuration(ms)),
  },
  { name: words.figures.output, of: ({ output_tokens: tokens }) => formatCount(tokens) },
  { name: words.figures.wallet, of: ({ customer_nanos: nanos }) => <Money amount={nanos} /> },
  { name: words.figures.provider, of: ({ provider_nanos: nanos }) => <Money amount={nanos} /> },
];

/** Both arms side by side. */
function Arms({ rollout: { name, arms } }: { readonly rollout: Rollout }): ReactElement {
  return (
    <DataTable
      caption={words.caption(visibleText(name))}
      rows={figures}
      rowKey={({ name: figure }) => figure}
      columns={[
        { key: 'figure', header: words.figure, cell: ({ name: figure }) => figure },
        { key: 'treatment', header: words.treatment, align: 'end', cell: ({ of }) => of(arms.treatment) },
        { key: 'control', header: words.control, align: 'end', cell: ({ of }) => of(arms.control) },
      ]}
    />
  );
}

interface AbortProps {
  readonly rollout: Rollout;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function Abort({ rollout: { id, name }, isOpen, onClose }: AbortProps): ReactElement {
  const params = { path: { rollout_id: id } };
  const write = useWrite((api) => api.post('/rollouts/{rollout_id}/abort', { params }), {
    changes: ['/rollouts', '/audit-log'],
    says: words.abort.done,
  });
  return (
    <ConfirmWrite write={write} isOpen={isOpen} onClose={onClose} words={words.abort} isDanger>
      <p>
        <Name>{name}</Name>
      </p>
    </ConfirmWrite>
  );
}
