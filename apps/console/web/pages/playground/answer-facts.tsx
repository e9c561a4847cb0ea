import { type ReactElement } from 'react';
import { isNotFound } from '../../api/api-error';
import { type ModelRequest } from '../../calls/request';
import { StatusBadge } from '../../calls/status-badge';
import { attemptResult } from '../../calls/text';
import { useRequest } from '../../calls/use-request';
import { formatDuration } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Facts } from '../../frame/page';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { type SvcMember, type ToldAttempt } from './answer-parts';
import { type Answer } from './conversation';
import styles from './playground.module.css';
import { text } from './text';
import { useRequestOfTrace } from './use-request-of-trace';

const words = text.facts;

/** Facts of an ended call: by its record, or by the answer itself. */
export function AnswerFacts({ of: answer }: { readonly of: Answer }): ReactElement | null {
  const canRead = useCan('usage:read');
  if (!canRead) return answer.svc === null ? null : <Told by={answer.svc} />;
  return answer.requestId === null ? (
    <UnknownRequest answer={answer} />
  ) : (
    <KnownRequest id={answer.requestId} answer={answer} />
  );
}

/** A call that was stopped before its answer began: its record is found by its trace. */
function UnknownRequest({ answer }: { readonly answer: Answer }): ReactElement | null {
  const { data: id } = useRequestOfTrace(answer.traceId);
  if (id === undefined) return null;
  if (id === null) return <p className="muted">{text.answer.notRecorded}</p>;
  return <KnownRequest id={id} answer={answer} />;
}

function KnownRequest({ id, answer }: { readonly id: string; readonly answer: Answer }): ReactElement {
  const request = useRequest(id);
  if (isNotFound(request.error)) {
    if (answer.svc !== null) return <Told by={answer.svc} />;
    return (
      <p className="muted">{answer.phase === 'failed' ? text.answer.notRecorded : text.answer.notHere}</p>
    );
  }
  return (
    <Result of={request} lines={2}>
      {(record) => <Recorded as={record} />}
    </Result>
  );
}

function Recorded({ as: record }: { readonly as: ModelRequest }): ReactElement {
  const { id, cost, usage, ttft_ms: firstToken, duration_ms: duration, attempts } = record;
  const time = (ms: number | null) => (ms === null ? words.unknown : formatDuration(ms));
  return (
    <>
      <Facts
        of={[
          [words.status, <StatusBadge key="" of={record} />],
          ...costFacts(cost),
          [words.tokens, words.tokenCounts(usage.input_tokens, usage.output_tokens)],
          [words.firstToken, time(firstToken)],
          [words.duration, time(duration)],
        ]}
      />
      <Attempts of={attempts} />
      <p>
        <PageLink to="/requests/$requestId" params={{ requestId: id }}>
          {words.open}
        </PageLink>
      </p>
    </>
  );
}

function Told({ by: { cost, attempts } }: { readonly by: SvcMember }): ReactElement {
  return (
    <>
      <Facts of={costFacts(cost)} />
      <Attempts of={attempts} />
    </>
  );
}

/** The charge of the wallet, and that of an own account where there is one. */
const costFacts = ({
  customer_nanos: charged,
  provider_nanos: ownAccount = 0n,
  state,
}: SvcMember['cost']) => [
  [words.cost, <Cost key="" amount={charged} state={state} />] as const,
  ...(ownAccount === 0n
    ? []
    : [[words.ownAccount, <Money key="" amount={ownAccount} as="detail" />] as const]),
];

function Cost({ amount, state }: { readonly amount: bigint; readonly state: string }): ReactElement {
  return (
    <>
      <Money amount={amount} as="detail" />
      {state === 'provisional' && <span className="muted"> ({words.provisional})</span>}
    </>
  );
}

type Try = Pick<ToldAttempt, 'provider' | 'region' | 'status' | 'duration_ms'> & { readonly error?: string };

function Attempts({ of }: { readonly of: readonly Try[] }): ReactElement | null {
  if (of.length === 0) return null;
  return (
    <div>
      <p className={styles.term}>{words.attempts}</p>
      <ol className={styles.list} aria-label={words.attempts}>
        {of.map((attempt, place) => (
          <li key={place}>
            <Name>{attempt.provider}</Name> · <Name>{attempt.region}</Name> ·{' '}
            {visibleText(attemptResult(attempt))} · {formatDuration(attempt.duration_ms)}
          </li>
        ))}
      </ol>
    </div>
  );
}
