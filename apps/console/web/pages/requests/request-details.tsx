import { type ReactElement, type ReactNode } from 'react';
import { type NamesById } from '../../api/use-names';
import { type ModelRequest } from '../../calls/request';
import { StatusBadge } from '../../calls/status-badge';
import { formatDuration } from '../../format/numbers';
import { visibleLines } from '../../format/visible-text';
import { Facts, Section } from '../../frame/page';
import { PageLink } from '../../ui/page-link';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { Attempts } from './attempts';
import { Code } from './badges';
import { CallAgain } from './call-again';
import { PolicyVersions } from './policy-versions';
import { RequestCost } from './request-cost';
import styles from './requests.module.css';
import { routeWords, text } from './text';
import { useCallNames } from './use-call-names';

const words = text.one;

interface Details {
  readonly of: ModelRequest;
}

/** All that is known of one call. */
export function RequestDetails({ of: call }: Details): ReactElement {
  return (
    <>
      <Section title={words.facts} actions={<StatusBadge of={call} />}>
        <RequestFacts of={call} />
      </Section>
      <Section title={words.attempts}>
        <Attempts of={call.attempts} />
      </Section>
      <RequestCost of={call} />
      {call.warnings !== null && call.warnings.length > 0 && (
        <Section title={words.warnings}>
          <ul>
            {call.warnings.map(({ param, code, message }) => (
              <li key={`${param} ${code}`}>
                <Code>{param}</Code>: {visibleLines(message)}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {call.error !== null && (
        <Section title={words.error}>
          <AnsweredError error={call.error} />
        </Section>
      )}
      <CallAgain of={call} />
    </>
  );
}

function RequestFacts({ of: call }: Details): ReactElement {
  const { keys, projects } = useCallNames([call]);
  const optional = (
    [
      [words.user, call.user],
      [words.trace, call.trace_id],
      ...Object.entries(call.metadata).map(([name, value]) => [`${words.metadata}: ${name}`, value] as const),
    ] as const
  ).flatMap(([term, value]) => (value === null ? [] : [[term, <Name key={term}>{value}</Name>] as const]));
  return (
    <Facts
      of={[
        [words.id, <Id key="" id={call.id} />],
        [words.arrived, <Time key="" at={call.created_at} as="instant" />],
        [words.route, routeWords[call.route]],
        [text.columns.model, <Name key="">{call.model}</Name>],
        [words.stream, call.stream ? text.streamed : text.whole],
        [words.callerStatus, <CallerStatus key="" of={call} />],
        [words.firstToken, durationOf(call.ttft_ms)],
        [words.duration, durationOf(call.duration_ms)],
        [
          text.columns.key,
          <PageLink key="" to="/keys/$keyId" params={{ keyId: call.api_key_id }}>
            {named(call.api_key_id, keys)}
          </PageLink>,
        ],
        [
          text.columns.project,
          call.project_id === null ? words.wholeOrganization : named(call.project_id, projects),
        ],
        [words.session, call.session_id === null ? text.none : <Session key="" id={call.session_id} />],
        [words.endUser, <EndUser key="" of={call} />],
        [words.policy, <PolicyVersions key="" of={call} />],
        ...optional,
      ]}
    />
  );
}

const durationOf = (ms: number | null): string => (ms === null ? text.none : formatDuration(ms));

function named(id: string, names: NamesById): ReactNode {
  const name = names.get(id);
  return name === undefined ? <Code>{id}</Code> : <Name>{name}</Name>;
}

/** Whom the call was for: by the name, where it was kept, and the id. Both lead to the calls for them. */
function EndUser({ of: { end_user: name, end_user_id: id } }: Details): ReactElement | string {
  if (id === null) return text.none;
  const linkOf = (shown: ReactNode) => (
    <PageLink to="/requests" search={{ end_user: id }}>
      {shown}
    </PageLink>
  );
  return (
    <>
      {name !== null && linkOf(<Name>{name}</Name>)} <Id id={id} isShort wrap={linkOf} />
    </>
  );
}

function CallerStatus({ of: { http_status: status, error_code: code } }: { readonly of: ModelRequest }) {
  return (
    <>
      {status ?? text.none} {code !== null && <Code>{code}</Code>}
    </>
  );
}

function Session({ id }: { readonly id: string }): ReactElement {
  return (
    <PageLink to="/requests" search={{ session: id }}>
      <Name>{id}</Name>
    </PageLink>
  );
}

function AnsweredError({ error }: { readonly error: NonNullable<ModelRequest['error']> }): ReactElement {
  return (
    <div className={styles.error}>
      <p>
        <Code>{error.code}</Code> {error.param !== undefined && <Code>{error.param}</Code>}
      </p>
      <p>{error.message === null ? words.noMessage : visibleLines(error.message)}</p>
    </div>
  );
}
