import { type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { formatCount } from '../../../format/numbers';
import { Facts, Section } from '../../../frame/page';
import { Button } from '../../../ui/button/button';
import { Result } from '../../../ui/states/result';
import { Id } from '../../../ui/text/id';
import { Money } from '../../../ui/text/money';
import { Time } from '../../../ui/text/time';
import { type Schemas, useRead } from '../../api/use-api';
import { Buttons, PageWarning } from '../../frame/filters';
import { Page } from '../../frame/page';
import { ChangeCeilings, ChangePrices } from './change-ceilings';
import { AppointOwner } from './create-organization';
import { DisablePolicy } from './disable-policy';
import { GrantCredit } from './grant-credit';
import { CreditGrants, MembersAndSpend } from './organization-overview';
import { StateBadge } from './organizations-page';
import { organizationRoute } from './route';
import { ReactivateOrganization, SuspendOrganization } from './suspend';
import { text } from './text';

type Organization = Schemas['PlatformOrganization'];
type Opened = 'grant' | 'ceilings' | 'prices' | 'suspend' | 'reactivate' | 'appoint' | 'approvals';

export function OrganizationPage(): ReactElement {
  const { organizationId } = organizationRoute.useParams();
  const params = { path: { organization_id: organizationId } };
  const organization = useRead('/organizations/{organization_id}', { params });
  // Read beside it, not after it.
  const overview = useRead('/organizations/{organization_id}/overview', { params });
  const { data } = organization;
  return (
    <Page
      title={data?.name ?? text.one.title}
      parent={<Link to="/">{text.one.parent}</Link>}
      {...(data && { subtitle: <StateBadge state={data.state} /> })}
    >
      <Result of={organization} what={text.one.what}>
        {(found) => <Details of={found} overview={overview} />}
      </Result>
    </Page>
  );
}

interface DetailsProps {
  readonly of: Organization;
  readonly overview: UseQueryResult<Schemas['OrganizationOverview']>;
}

function Details({ of, overview }: DetailsProps): ReactElement {
  const [opened, setOpened] = useState<Opened | null>(null);
  const dialog = (name: Opened) => ({ isOpen: opened === name, onClose: () => setOpened(null) });
  return (
    <>
      {of.state === 'suspended' && <PageWarning>{text.one.suspended}</PageWarning>}
      <Wallet of={of} onGrant={() => setOpened('grant')} />
      <MembersAndSpend of={overview} onAppoint={() => setOpened('appoint')} />
      <Ceilings of={of} onChange={() => setOpened('ceilings')} />
      <Prices of={of} onChange={() => setOpened('prices')} />
      <Section
        title={text.one.facts}
        actions={
          <Buttons>
            <Button onClick={() => setOpened('approvals')}>{text.approvals.open}</Button>
            {of.state === 'active' ? (
              <Button variant="danger" onClick={() => setOpened('suspend')}>
                {text.suspend.open}
              </Button>
            ) : (
              <Button onClick={() => setOpened('reactivate')}>{text.reactivate.open}</Button>
            )}
          </Buttons>
        }
      >
        <Facts
          of={[
            [text.one.id, <Id key="" id={of.id} />],
            [text.one.state, <StateBadge key="" state={of.state} />],
            [text.one.created, <Time key="" at={of.created_at} as="instant" />],
            [text.one.changed, <Time key="" at={of.updated_at} as="instant" />],
          ]}
        />
      </Section>
      <CreditGrants organizationId={of.id} onGrant={() => setOpened('grant')} />
      <GrantCredit organization={of} {...dialog('grant')} />
      <ChangeCeilings organization={of} {...dialog('ceilings')} />
      <ChangePrices organization={of} {...dialog('prices')} />
      <SuspendOrganization organization={of} {...dialog('suspend')} />
      <ReactivateOrganization organization={of} {...dialog('reactivate')} />
      <AppointOwner organizationId={of.id} {...dialog('appoint')} />
      <DisablePolicy organizationId={of.id} {...dialog('approvals')} />
    </>
  );
}

function Wallet({
  of: { wallet },
  onGrant,
}: {
  readonly of: Organization;
  readonly onGrant: () => void;
}): ReactElement {
  const words = text.wallet;
  return (
    <Section
      title={words.title}
      actions={
        <Button variant="primary" onClick={onGrant}>
          {text.grant.open}
        </Button>
      }
    >
      <Facts
        of={[
          [words.available, <Money key="" amount={wallet.available_nanos} as="detail" />],
          [words.balance, <Money key="" amount={wallet.balance_nanos} as="detail" />],
          [words.held, <Money key="" amount={wallet.held_nanos} as="detail" />],
          [words.owed, <Money key="" amount={wallet.owed_nanos} as="detail" />],
        ]}
      />
    </Section>
  );
}

interface FiguresProps {
  readonly of: Organization;
  readonly onChange: () => void;
}

function Ceilings({ of, onChange }: FiguresProps): ReactElement {
  const words = text.ceilings;
  const shown = (own: number | null, effective: number) =>
    own === null ? words.isDefault(formatCount(effective)) : formatCount(own);
  const atATime = (own: number | null) => (own === null ? words.byDefault : formatCount(own));
  return (
    <Section title={words.title} actions={<Button onClick={onChange}>{words.change}</Button>}>
      <Facts
        of={[
          [words.rpm, shown(of.rate_limit_rpm, of.effective_rate_limit.rpm)],
          [words.tpm, shown(of.rate_limit_tpm, of.effective_rate_limit.tpm)],
          [words.jobs, atATime(of.fine_tuning_jobs_max)],
          [words.endpoints, atATime(of.fine_tuning_endpoints_max)],
        ]}
      />
    </Section>
  );
}

/** Basis points as percent: `115.5` for 11,550. */
const percentOf = (bps: number): string => String(bps / 100);

function Prices({ of, onChange }: FiguresProps): ReactElement {
  const words = text.prices;
  const { price_bps: price, own_credential_bps: own, effective } = of;
  return (
    <Section title={words.title} actions={<Button onClick={onChange}>{words.change}</Button>}>
      <Facts
        of={[
          [words.platform, words.ofCatalog(percentOf(effective.price_bps), price === null)],
          [words.own, words.ofCatalog(percentOf(effective.own_credential_bps), own === null)],
        ]}
      />
    </Section>
  );
}
