import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode } from 'react';
import { useRead } from '../../api/use-api';
import { usePeople } from '../../api/use-people';
import { NEWEST, NewestDeliveries } from '../../deliveries/delivery-list';
import { EventTypes } from '../../deliveries/event-types';
import { ReceiverState } from '../../deliveries/state-badge';
import { text as deliveryText } from '../../deliveries/text';
import { formatList } from '../../format/numbers';
import { Facts, Page, Section } from '../../frame/page';
import { Person } from '../../frame/person';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { roleLabel } from '../../session/roles';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { namesOf } from './config-fields';
import { linkTo } from './delivery-link';
import { type Integration } from './integration';
import { IntegrationActions } from './integration-actions';
import { integrationDeliveriesRoute, integrationRoute, integrationsRoute } from './route';
import { encodingWords, kindWords, signalWords, text } from './text';

type Fact = readonly [term: string, value: ReactNode];
const words = text.one;
const parent = <Link to={integrationsRoute.to}>{text.title}</Link>;

export function IntegrationPage(): ReactElement {
  const { integrationId } = integrationRoute.useParams();
  const params = { path: { integration_id: integrationId } };
  const integration = useRead('/integrations/{integration_id}', { params });
  return (
    <ReadPage of={integration} words={words} parent={parent}>
      {(data) => <OneIntegration integration={data} />}
    </ReadPage>
  );
}

function OneIntegration({ integration }: { readonly integration: Integration }): ReactElement {
  const { id, kind, last_success_at: success } = integration;
  const canWrite = useCan('integration:write');
  const params = { path: { integration_id: id }, query: { limit: NEWEST } };
  const deliveries = useRead('/integrations/{integration_id}/deliveries', { params });
  return (
    <Page
      title={integration.name}
      parent={parent}
      subtitle={<ReceiverState of={integration} />}
      {...(canWrite && { actions: <IntegrationActions integration={integration} /> })}
    >
      <Section title={words.facts}>
        <Facts
          of={[
            [words.id, <Id key="" id={id} />],
            [words.kind, kindWords[kind]],
            ...configFacts(integration),
            [words.success, success === null ? text.never : <Time key="" at={success} />],
            [words.created, <Time key="" at={integration.created_at} as="instant" />],
            [words.updated, <Time key="" at={integration.updated_at} as="instant" />],
            [
              words.events,
              kind === 'otlp' ? text.telemetry : <EventTypes key="" of={integration.event_types} />,
            ],
          ]}
        />
      </Section>
      <NewestDeliveries
        of={deliveries}
        link={linkTo(id)}
        receiver={integration.state}
        all={
          <Link to={integrationDeliveriesRoute.to} params={{ integrationId: id }}>
            {deliveryText.list.all}
          </Link>
        }
      />
    </Page>
  );
}

function configFacts(integration: Integration): readonly Fact[] {
  const { kind, config } = integration;
  const { url, routing_key: key, roles = [], member_ids: members = [] } = config;
  return [
    ...(url === undefined ? [] : [[words.url, <Name key="">{url}</Name>] as const]),
    ...(key === undefined ? [] : [[words.key, <code key="">…{key.last4}</code>] as const]),
    ...(kind === 'email'
      ? [
          [words.roles, roles.length === 0 ? words.none : formatList(roles.map(roleLabel))] as const,
          [words.members, members.length === 0 ? words.none : <Members key="" ids={members} />] as const,
        ]
      : []),
    ...(kind === 'otlp'
      ? [
          [words.headers, namesOf(integration)] as const,
          [words.signals, formatList((config.signals ?? []).map((signal) => signalWords[signal]))] as const,
          [words.encoding, encodingWords[config.encoding ?? 'protobuf']] as const,
        ]
      : []),
  ];
}

/** Their addresses, where the role may read them. */
function Members({ ids }: { readonly ids: readonly string[] }): ReactElement {
  const people = usePeople();
  return (
    <>
      {ids.map((id) => (
        <div key={id}>
          <Person id={id} people={people} />
        </div>
      ))}
    </>
  );
}
