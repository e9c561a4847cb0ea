import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { NEWEST, NewestDeliveries } from '../../deliveries/delivery-list';
import { EventTypes } from '../../deliveries/event-types';
import { ReceiverState } from '../../deliveries/state-badge';
import { text as deliveryText } from '../../deliveries/text';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Tabs } from '../../ui/tabs/tabs';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { linkTo } from './delivery-link';
import { EndpointActions } from './endpoint-actions';
import { latelyWords } from './lately';
import { deliveriesRoute, endpointRoute, webhooksRoute } from './route';
import { text } from './text';
import { Verify } from './verify';
import { type Endpoint } from './webhook';

const words = text.one;
const parent = <Link to={webhooksRoute.to}>{words.parent}</Link>;

export function EndpointPage(): ReactElement {
  const { endpointId } = endpointRoute.useParams();
  const endpoint = useRead('/webhooks/{endpoint_id}', { params: { path: { endpoint_id: endpointId } } });
  return (
    <ReadPage of={endpoint} words={words} parent={parent}>
      {(data) => <OneEndpoint endpoint={data} />}
    </ReadPage>
  );
}

function OneEndpoint({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { tab } = endpointRoute.useSearch();
  const navigate = endpointRoute.useNavigate();
  const canWrite = useCan('webhook:write');
  return (
    <Page
      title={endpoint.url}
      parent={parent}
      subtitle={<ReceiverState of={endpoint} />}
      actions={canWrite && <EndpointActions endpoint={endpoint} />}
    >
      <Tabs
        label={words.tabs}
        value={tab ?? 'facts'}
        onChange={(next) =>
          void navigate({ search: { tab: next === 'verify' ? next : undefined }, replace: true })
        }
        tabs={[
          {
            key: 'facts',
            label: words.tabFacts,
            panel: tab === undefined && <About endpoint={endpoint} />,
          },
          { key: 'verify', label: words.tabVerify, panel: tab === 'verify' && <Verify /> },
        ]}
      />
    </Page>
  );
}

function About({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const { id, event_types: types, previous_secret_expires_at: previous } = endpoint;
  const params = { path: { endpoint_id: id }, query: { limit: NEWEST, view: 'summary' as const } };
  // Both at once: counts of a minute ago would deny what is listed beside them.
  const figures = useRead('/webhooks/figures', {}, { isReadAnew: true });
  const deliveries = useRead('/webhooks/{endpoint_id}/deliveries', { params }, { isReadAnew: true });
  return (
    <>
      <Section title={words.facts}>
        <Facts
          of={[
            [words.id, <Id key="" id={id} />],
            [
              words.description,
              endpoint.description === '' ? words.none : <Name key="">{endpoint.description}</Name>,
            ],
            [words.secret, <code key="">…{endpoint.secret_last4}</code>],
            ...(previous === null
              ? []
              : [[words.previous, <Time key="" at={previous} as="instant" />] as const]),
            [words.created, <Time key="" at={endpoint.created_at} as="instant" />],
            [words.updated, <Time key="" at={endpoint.updated_at} as="instant" />],
            [words.events, <EventTypes key="" of={types} />],
            [words.lately, latelyWords(figures.data?.data, id)],
          ]}
        />
      </Section>
      <NewestDeliveries
        of={deliveries}
        link={linkTo(id)}
        receiver={endpoint.state}
        all={
          <Link to={deliveriesRoute.to} params={{ endpointId: id }}>
            {deliveryText.list.all}
          </Link>
        }
      />
    </>
  );
}
