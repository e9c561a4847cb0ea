import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';
import { formatCount } from '../../format/numbers';
import { Section } from '../../frame/page';
import { useCatalogNames } from '../../policies/catalog-names';
import { policyFields, type PolicyField } from '../../policies/policy';
import { valueText } from '../../policies/policy-values';
import { fieldWords } from '../../policies/text';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { ownerAddress } from './owner';
import { policyVersionRoute, routingRoute } from './route';
import styles from './routing.module.css';
import { Simulator } from './simulator';
import { text } from './text';

type Effective = components['schemas']['EffectivePolicy'];
type Decision = Effective['fields'][PolicyField]['decided_by'][number];

const READ_AGAIN_MS = 60_000;
const words = text.together;

/** The policy that all levels make together for the calls of a project or a key, and which level decided it. */
export function EffectivePolicy(): ReactElement {
  const { project, key } = routingRoute.useSearch();
  const query = { project_id: project, api_key_id: key };
  const effective = useRead('/policy/effective', { params: { query } }, { everyMs: READ_AGAIN_MS });
  const catalog = useCatalogNames();
  return (
    <>
      <div className={styles.intro}>
        <p className="muted">{words.purpose}</p>
        {project === undefined && key === undefined && <p>{words.organizationOnly}</p>}
      </div>
      <Result of={effective} what={words.what} lines={12}>
        {(policy) => (
          <>
            <Section title={words.title}>
              <Fields of={policy} />
            </Section>
            <Section title={words.rates}>
              <p className="muted">{words.ratesPurpose}</p>
              <RateLimits of={policy} />
            </Section>
          </>
        )}
      </Result>
      <Simulator draft={null} subject={query} purpose={words.simulated} catalog={catalog} />
    </>
  );
}

function Fields({ of: policy }: { readonly of: Effective }): ReactElement {
  return (
    <DataTable
      caption={words.caption}
      rows={policyFields}
      rowKey={(field) => field}
      columns={[
        { key: 'field', header: words.field, wraps: true, cell: (field) => fieldWords[field] },
        {
          key: 'value',
          header: words.value,
          wraps: true,
          cell: (field) => valueText(field, policy.fields[field].value),
        },
        {
          key: 'by',
          header: words.decidedBy,
          wraps: true,
          cell: (field) => <DecidedBy of={policy} by={policy.fields[field].decided_by} />,
        },
      ]}
    />
  );
}

interface DecidedByProps {
  readonly of: Effective;
  readonly by: readonly Decision[];
}

function DecidedBy({ of, by }: DecidedByProps): ReactElement {
  if (by.length === 0) return <span className="muted">{words.nobody}</span>;
  return (
    <ul className={styles.changes}>
      {by.map((decision) => (
        <li key={decision.level}>
          <DecidingVersion of={of} by={decision} />
        </li>
      ))}
    </ul>
  );
}

/** `Project, version 3`, with a link to that version. */
function DecidingVersion(props: { readonly of: Effective; readonly by: Decision }): ReactElement {
  const { project_id: project, api_key_id: key } = props.of;
  const { level, version, policy_id: policyId } = props.by;
  const name = words.version(level, version);
  if (policyId === null) return <>{name}</>;
  const id = (level === 'project' ? project : key) ?? '';
  return (
    <Link to={policyVersionRoute.to} params={{ policyId }} search={ownerAddress({ level, id })}>
      {name}
    </Link>
  );
}

/** The buckets that a call must fit. Two can be of end users: one of the organization, one of the project. */
function RateLimits({ of: { rate_limits: limits } }: { readonly of: Effective }): ReactElement {
  const shown = (limit: number | null) => (limit === null ? words.noLimit : formatCount(limit));
  return (
    <DataTable
      caption={words.ratesCaption}
      rows={limits.map((limit, place) => ({ ...limit, place }))}
      rowKey={({ place }) => String(place)}
      columns={[
        { key: 'scope', header: words.scope, wraps: true, cell: ({ scope }) => words.scopes[scope] },
        {
          key: 'requests',
          header: words.requests,
          align: 'end',
          cell: ({ requests }) => shown(requests),
        },
        { key: 'tokens', header: words.tokens, align: 'end', cell: ({ tokens }) => shown(tokens) },
      ]}
    />
  );
}
