import { type ReactElement, useState } from 'react';
import { useOwnOrganization, type OwnOrganization } from '../../api/use-own-organization';
import { OperatorContact } from '../../frame/operator-contact';
import { Facts, Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { RenameOrganization } from './rename-organization';
import { text } from './text';

const words = text.organization;

export function OrganizationSection(): ReactElement {
  const organization = useOwnOrganization();
  const canWrite = useCan('org:write');
  const [isRenaming, setRenaming] = useState(false);
  const rename = canWrite && <Button onClick={() => setRenaming(true)}>{words.rename}</Button>;
  return (
    <Section title={words.title} actions={rename}>
      <Result of={organization} lines={5}>
        {(data) => (
          <>
            <OrganizationFacts organization={data} />
            <RenameOrganization organization={data} isOpen={isRenaming} onClose={() => setRenaming(false)} />
          </>
        )}
      </Result>
    </Section>
  );
}

function OrganizationFacts({ organization }: { readonly organization: OwnOrganization }): ReactElement {
  const { id, name, state, created_at, usage_tag: tag, effective_rate_limit: ceilings } = organization;
  return (
    <>
      <Facts
        of={[
          [words.name, <Name key="">{name}</Name>],
          [words.id, <Id key="" id={id} />],
          [
            words.state,
            <Badge key="" tone={state === 'active' ? 'good' : 'bad'}>
              {words.states[state]}
            </Badge>,
          ],
          [words.ceilings, words.ceilingsOf(ceilings.rpm, ceilings.tpm)],
          [words.usageTag, tag === null ? words.noUsageTag : <Name key="">{tag}</Name>],
          [words.created, <Time key="" at={created_at} as="instant" />],
        ]}
      />
      <p className="muted">
        {words.ceilingsHint}
        <OperatorContact />
      </p>
    </>
  );
}
