import { type ReactElement } from 'react';
import { type ProviderAttempt } from '../../calls/request';
import { attemptResult } from '../../calls/text';
import { formatDuration } from '../../format/numbers';
import { Facts } from '../../frame/page';
import { Badge } from '../../ui/badge/badge';
import { Name } from '../../ui/text/id';
import styles from './requests.module.css';
import { text } from './text';

const words = text.attempt;

/** The attempts at providers in their order, on one scale of time. */
export function Attempts({ of: attempts }: { readonly of: readonly ProviderAttempt[] }): ReactElement {
  if (attempts.length === 0) return <p>{text.one.noAttempts}</p>;
  const spanMs = Math.max(1, ...attempts.map(({ started_ms: start, duration_ms: ms }) => (start ?? 0) + ms));
  return (
    <ol className={styles.attempts} aria-label={text.one.attempts}>
      {attempts.map((attempt, place) => (
        <li key={place} className={styles.attempt}>
          <div className={styles.attemptHead}>
            <strong>
              <Name>{attempt.provider}</Name>
            </strong>
            <Badge tone={attempt.error === undefined ? 'good' : 'bad'}>{attemptResult(attempt)}</Badge>
          </div>
          <TimeBar attempt={attempt} spanMs={spanMs} />
          <Facts of={factsOf(attempt)} />
          {place < attempts.length - 1 && <p className={styles.why}>{words.wentOn}</p>}
        </li>
      ))}
    </ol>
  );
}

function factsOf(attempt: ProviderAttempt): readonly (readonly [string, ReactElement | string])[] {
  const { credential, credential_id: credentialId, placed_by: placedBy } = attempt;
  const { endpoint_id: endpoint, upstream_request_id: upstreamId } = attempt;
  const within = (ms: number | null) => (ms === null ? words.unknown : formatDuration(ms));
  return [
    [words.region, <Name key="">{attempt.region}</Name>],
    [words.credential, credential === null ? words.unknown : words.credentials[credential]],
    ...(credentialId === null ? [] : [[words.credentialId, <Name key="">{credentialId}</Name>] as const]),
    ...(placedBy === null ? [] : [[words.placedBy, words.placements[placedBy]] as const]),
    [words.started, within(attempt.started_ms)],
    [words.firstByte, attempt.first_byte_ms === null ? text.none : formatDuration(attempt.first_byte_ms)],
    [words.duration, formatDuration(attempt.duration_ms)],
    [words.endpoint, endpoint === null ? words.unknown : <Name key="">{endpoint}</Name>],
    ...(upstreamId === null ? [] : [[words.upstreamId, <Name key="">{upstreamId}</Name>] as const]),
  ];
}

/** When the attempt ran: paler until the provider's first byte. What it shows is in the facts below it. */
function TimeBar({ attempt, spanMs }: { readonly attempt: ProviderAttempt; readonly spanMs: number }) {
  const { started_ms: start, first_byte_ms: firstByte, duration_ms: duration, error } = attempt;
  const share = (ms: number) => (ms / spanMs) * 100;
  const waited = Math.min(firstByte ?? duration, duration);
  const from = share(start ?? 0);
  return (
    <svg className={styles.bar} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      {error === undefined ? (
        <>
          <rect className={styles.waiting} x={from} width={share(waited)} height={1} />
          <rect
            className={styles.answering}
            x={from + share(waited)}
            width={share(duration - waited)}
            height={1}
          />
        </>
      ) : (
        <rect className={styles.failed} x={from} width={Math.max(share(duration), 0.5)} height={1} />
      )}
    </svg>
  );
}
