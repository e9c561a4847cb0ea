import { type ReactElement, useEffect, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { type components } from '../../api/generated/management';
import { CreditAdvice } from '../../calls/credit-advice';
import { formatDuration } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Facts } from '../../frame/page';
import { Button } from '../../ui/button/button';
import { CheckIcon, ClockIcon, WarningIcon } from '../../ui/icons/icons';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { Filled } from '../../ui/text/filled';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { Causes } from './causes';
import styles from './start.module.css';
import { Step } from './step';
import { text } from './text';
import { type FirstCall } from './use-first-call';

type Request = components['schemas']['Request'];

const CAUSES_AFTER_MS = 60_000;

interface ArrivalProps {
  readonly first: FirstCall;
  /** Whether only calls of the key count that was created on the page. */
  readonly isOfKey: boolean;
}

/** Waits for the call, and says what became of it. */
export function ArrivalStep(props: ArrivalProps): ReactElement {
  return (
    <Step title={text.arrival.title} isDone={props.first.call !== null}>
      <Result of={props.first.search} lines={1}>
        {() => <Arrival {...props} />}
      </Result>
    </Step>
  );
}

function Arrival({ first, isOfKey }: ArrivalProps): ReactElement {
  const { call, hadCalls, earlier, refusal, isOver, again, sinceMs } = first;
  const isLate = useIsLate(sinceMs) && call === null && refusal === null;
  const words = text.arrival;
  return (
    <>
      <div role="status" className={styles.arrival}>
        {call !== null ? (
          <p className={styles.received}>
            <CheckIcon /> {hadCalls ? words.receivedLater : words.received}
          </p>
        ) : isOver ? (
          <p>{words.over}</p>
        ) : (
          refusal === null && (
            <p className={styles.waiting}>
              <ClockIcon /> {waitingWords(hadCalls, isOfKey)}
            </p>
          )
        )}
        {refusal !== null && <Refused refusal={refusal} />}
      </div>
      {call !== null && <Received call={call} />}
      {earlier !== null && <Earlier call={earlier} />}
      {call === null && isOver && (
        <div>
          <Button onClick={again}>{words.again}</Button>
        </div>
      )}
      {isLate && <Causes />}
    </>
  );
}

function waitingWords(hadCalls: boolean, isOfKey: boolean): string {
  const words = text.arrival;
  if (!hadCalls) return words.waiting;
  return isOfKey ? words.waitingForKey : words.waitingForNext;
}

/** The page may be opened long after the first call. */
function Earlier({ call: { id, created_at: at } }: { readonly call: Request }): ReactElement {
  const words = text.arrival;
  return (
    <p className="muted">
      <Filled sentence={words.earlier} places={{ time: <Time at={at} /> }} />{' '}
      <PageLink to="/requests/$requestId" params={{ requestId: id }}>
        {words.open}
      </PageLink>
    </p>
  );
}

function Received({ call }: { readonly call: Request }): ReactElement {
  const words = text.arrival;
  const { id, model, provider, attempts, ttft_ms, duration_ms, cost, status, error } = call;
  const region = attempts.at(-1)?.region;
  const time = (ms: number | null) => (ms === null ? words.notMeasured : formatDuration(ms));
  return (
    <>
      {status === 'pending' && <p className="muted">{words.running}</p>}
      {status === 'failed' && (
        <p>
          {words.failed} {visibleText(error?.message ?? '')}
        </p>
      )}
      <Facts
        of={[
          [words.model, <Name key="model">{model}</Name>],
          [words.provider, provider ?? words.none],
          [words.region, region ?? words.none],
          [words.firstToken, time(ttft_ms)],
          [words.duration, time(duration_ms)],
          [words.cost, <Cost key="cost" cost={cost} />],
        ]}
      />
      <p className={styles.links}>
        <PageLink to="/requests/$requestId" params={{ requestId: id }}>
          {words.open}
        </PageLink>
        <Link to="/">{words.overview}</Link>
      </p>
    </>
  );
}

function Cost({ cost }: { readonly cost: Request['cost'] }): ReactElement {
  return (
    <>
      <Money amount={cost.customer_nanos} as="detail" />
      {cost.state === 'provisional' && <span className="muted"> ({text.arrival.provisional})</span>}
    </>
  );
}

function Refused({ refusal }: { readonly refusal: NonNullable<FirstCall['refusal']> }): ReactElement {
  const { code = '', last_message } = refusal;
  return (
    <div className={styles.refused}>
      <WarningIcon />
      <div>
        <p>
          <strong>{text.arrival.refused}</strong>: <code>{code}</code>
        </p>
        <p>{visibleText(last_message)}</p>
        <p>
          {text.arrival.remedy(code)} {code === 'insufficient_funds' && <CreditAdvice />}
        </p>
      </div>
    </div>
  );
}

/** Whether a minute has gone by. */
function useIsLate(sinceMs: number): boolean {
  const [lateSince, setLateSince] = useState<number | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLateSince(sinceMs), sinceMs + CAUSES_AFTER_MS - Date.now());
    return () => clearTimeout(timer);
  }, [sinceMs]);
  return lateSince === sinceMs;
}
