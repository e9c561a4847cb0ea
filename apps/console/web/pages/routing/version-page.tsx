import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { defaultOf, documentOf, fieldsOf, type Policy, type PolicyVersion } from '../../policies/policy';
import { valueText } from '../../policies/policy-values';
import { fieldWords } from '../../policies/text';
import { useCan, useOrganization } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { Id } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { ownerAddress, ownerOf, type PolicyOwner } from './owner';
import { usePolicy, usePolicyVersion } from './policy-api';
import { PolicyChanges } from './policy-changes';
import { policyVersionRoute, routingRoute } from './route';
import { SavePolicy } from './save-policy';
import { text } from './text';
import { useOwnersLock } from './use-owners-lock';
import { WrittenBy } from './written-by';

const words = text.version;

export function VersionPage(): ReactElement {
  const { policyId } = policyVersionRoute.useParams();
  const { id: organizationId } = useOrganization();
  const owner = ownerOf(policyVersionRoute.useSearch(), organizationId);
  const version = usePolicyVersion(owner, policyId);
  return (
    <ReadPage of={version} words={words} parent={<BackToPolicy owner={owner} />}>
      {(data) => <OneVersion owner={owner} version={data} />}
    </ReadPage>
  );
}

const BackToPolicy = ({ owner }: { readonly owner: PolicyOwner }): ReactElement => (
  <Link
    to={routingRoute.to}
    search={owner.level === 'organization' ? {} : { level: owner.level, ...ownerAddress(owner) }}
  >
    {words.parents[owner.level]}
  </Link>
);

interface VersionProps {
  readonly owner: PolicyOwner;
  readonly version: PolicyVersion;
}

function OneVersion({ owner, version }: VersionProps): ReactElement {
  const canWrite = useCan('policy:write');
  const [isRestoring, setRestoring] = useState(false);
  const policy = usePolicy(owner);
  const lock = useOwnersLock(owner);
  const current = policy.data;
  const isInForce = current?.version === version.version;
  return (
    <Page
      title={text.versions.name(version.version)}
      parent={<BackToPolicy owner={owner} />}
      subtitle={isInForce && <Badge tone="good">{text.versions.current}</Badge>}
      actions={
        canWrite && current !== undefined && !isInForce ? (
          <Button disabledReason={lock} onClick={() => setRestoring(true)}>
            {text.versions.restore}
          </Button>
        ) : undefined
      }
    >
      <Content owner={owner} version={version} />
      <ChangesToBefore owner={owner} version={version} />
      <Result of={policy} lines={2}>
        {(inForce) => <ChangesToInForce version={version} inForce={inForce} />}
      </Result>
      {current !== undefined && (
        <SavePolicy
          owner={owner}
          base={current}
          document={documentOf(owner.level, version)}
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

/** Who wrote it, and every field of its level. */
const Content = ({ owner, version }: VersionProps): ReactElement => (
  <Section title={words.content}>
    <Facts
      of={[
        [words.by, <WrittenBy key="by" userId={version.created_by} />],
        [words.at, <Time key="at" at={version.created_at} as="instant" />],
        [words.id, <Id key="id" id={version.id} />],
        ...fieldsOf(owner.level).map(
          (field) => [fieldWords[field], valueText(field, version[field])] as const,
        ),
      ]}
    />
  </Section>
);

/** Against the version that the address names as the one before, or the default before the first. */
function ChangesToBefore({ owner, version }: VersionProps): ReactElement | null {
  const { before } = policyVersionRoute.useSearch();
  const read = usePolicyVersion(owner, before ?? '', { enabled: before !== undefined });
  if (version.version === 1)
    return (
      <Section title={words.before}>
        <PolicyChanges from={defaultOf(owner.level)} to={version} />
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
