import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { Id } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import {
  defaultDocument,
  documentOf,
  listFields,
  valueFields,
  type Policy,
  type PolicyVersion,
} from './policy';
import { PolicyChanges } from './policy-changes';
import { valueText } from './policy-values';
import { policyVersionRoute, routingRoute } from './route';
import { SavePolicy } from './save-policy';
import { fieldWords, text } from './text';
import { WrittenBy } from './written-by';

const words = text.version;
const parent = <Link to={routingRoute.to}>{words.parent}</Link>;

export function VersionPage(): ReactElement {
  const { policyId } = policyVersionRoute.useParams();
  const version = useRead('/policy/versions/{policy_id}', { params: { path: { policy_id: policyId } } });
  return (
    <ReadPage of={version} words={words} parent={parent}>
      {(data) => <OneVersion version={data} />}
    </ReadPage>
  );
}

function OneVersion({ version }: { readonly version: PolicyVersion }): ReactElement {
  const canWrite = useCan('policy:write');
  const [isRestoring, setRestoring] = useState(false);
  const policy = useRead('/policy', {});
  const current = policy.data;
  const isInForce = current?.version === version.version;
  return (
    <Page
      title={text.versions.name(version.version)}
      parent={parent}
      subtitle={isInForce && <Badge tone="good">{text.versions.current}</Badge>}
      actions={
        canWrite && current !== undefined && !isInForce ? (
          <Button onClick={() => setRestoring(true)}>{text.versions.restore}</Button>
        ) : undefined
      }
    >
      <Section title={words.content}>
        <Facts
          of={[
            [words.by, <WrittenBy key="by" userId={version.created_by} />],
            [words.at, <Time key="at" at={version.created_at} as="instant" />],
            [words.id, <Id key="id" id={version.id} />],
            ...[...listFields, ...valueFields].map(
              (field) => [fieldWords[field], valueText(field, version[field])] as const,
            ),
          ]}
        />
      </Section>
      <ChangesToBefore version={version} />
      <Result of={policy} lines={2}>
        {(inForce) => <ChangesToInForce version={version} inForce={inForce} />}
      </Result>
      {current !== undefined && (
        <SavePolicy
          base={current}
          document={documentOf(version)}
          restores={version.version}
          isOpen={isRestoring}
          onClose={() => setRestoring(false)}
          onSaved={() => setRestoring(false)}
          onOutdated={() => void policy.refetch()}
        />
      )}
    </Page>
  );
}

/** Against the version that the address names as the one before, or the default before the first. */
function ChangesToBefore({ version }: { readonly version: PolicyVersion }): ReactElement | null {
  const { before } = policyVersionRoute.useSearch();
  const read = useRead(
    '/policy/versions/{policy_id}',
    { params: { path: { policy_id: before ?? '' } } },
    { enabled: before !== undefined },
  );
  if (version.version === 1)
    return (
      <Section title={words.before}>
        <PolicyChanges from={defaultDocument} to={version} />
      </Section>
    );
  if (before === undefined) return null;
  return (
    <Section title={words.before}>
      <Result of={read} what={words.what} lines={2}>
        {(from) => <PolicyChanges from={from} to={version} />}
      </Result>
    </Section>
  );
}

function ChangesToInForce({
  version,
  inForce,
}: {
  readonly version: PolicyVersion;
  readonly inForce: Policy;
}): ReactElement {
  if (inForce.version === version.version) return <p className="muted">{words.isCurrent}</p>;
  return (
    <Section title={words.inForce(inForce.version)}>
      <PolicyChanges from={version} to={inForce} />
    </Section>
  );
}
