import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode } from 'react';
import { useRead } from '../../api/use-api';
import { formatDuration } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { Id, Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { costSoFar, isUp, perMinute, type TunedEndpoint } from './endpoint';
import { EndpointActions } from './endpoint-actions';
import { EndpointBadge } from './endpoint-badge';
import { endpointText } from './endpoint-text';
import { fineTuningEndpointRoute, fineTuningRoute } from './route';
import { text } from './text';
import { PROGRESS_MS } from './tuning';

type Fact = readonly [term: string, value: ReactNode];
const parent = (
  <Link to={fineTuningRoute.to} search={{ tab: 'endpoints' }}>
    {text.title}
  </Link>
);

/** Read again while it is up: its cost and its end appear without a reload. */
export function EndpointPage(): ReactElement {
  const { endpointId } = fineTuningEndpointRoute.useParams();
  const params = { path: { fine_tuning_endpoint_id: endpointId } };
  const everyMs = (endpoint: TunedEndpoint) => isUp(endpoint) && PROGRESS_MS;
  const endpoint = useRead('/fine-tuning/endpoints/{fine_tuning_endpoint_id}', { params }, { everyMs });
  return (
    <ReadPage of={endpoint} words={endpointText} parent={parent}>
      {(data) => <OneEndpoint endpoint={data} />}
    </ReadPage>
  );
}

function OneEndpoint({ endpoint }: { readonly endpoint: TunedEndpoint }): ReactElement {
  const canWrite = useCan('fine_tuning:write');
  return (
    <Page
      title={endpoint.model}
      parent={parent}
      subtitle={<EndpointBadge of={endpoint} />}
      actions={canWrite && <EndpointActions endpoint={endpoint} />}
    >
      <EndpointCost endpoint={endpoint} />
      <EndpointFacts endpoint={endpoint} />
    </Page>
  );
}

function EndpointCost({ endpoint }: { readonly endpoint: TunedEndpoint }): ReactElement {
  const words = endpointText.cost;
  const { price_per_hour_nanos: price, started_at: since, stops_at: stops } = endpoint;
  const run: readonly Fact[] =
    since === null || price === null
      ? []
      : [
          [words.since, <Time key="" at={since} as="instant" />],
          ...(stops === null ? [] : [[words.stops, <Time key="" at={stops} />] as const]),
          [words.ran, formatDuration(1000 * endpoint.running_seconds)],
          ...(isUp(endpoint)
            ? [
                [words.soFar, <Money key="" amount={costSoFar(endpoint, price)} as="detail" />] as const,
                [words.settled, <Money key="" amount={endpoint.charged_nanos} as="detail" />] as const,
              ]
            : [[words.lastRun, <Money key="" amount={endpoint.charged_nanos} as="detail" />] as const]),
        ];
  return (
    <Section title={words.title}>
      <Facts
        of={[
          [words.pace, price === null ? words.notOffered : <Price key="" of={price} />],
          ...run,
          [words.total, <Money key="" amount={endpoint.total_charged_nanos} as="detail" />],
        ]}
      />
      <p className="muted">{words.paid}</p>
    </Section>
  );
}

const Price = ({ of }: { readonly of: bigint }): ReactElement => (
  <>
    <Money amount={perMinute(of)} /> {endpointText.cost.aMinute} · <Money amount={of} />{' '}
    {endpointText.cost.anHour}
  </>
);

function EndpointFacts({ endpoint }: { readonly endpoint: TunedEndpoint }): ReactElement {
  const words = endpointText.facts;
  const { stop_reason: reason, max_spend_nanos: spend, last_used_at: used } = endpoint;
  const facts: readonly Fact[] = [
    ...(reason === null ? [] : [[words.why, endpointText.reasons[reason]] as const]),
    [words.model, <ServedModel key="" endpoint={endpoint} />],
    [words.hardware, visibleText(endpoint.hardware)],
    [words.idle, words.minutes(endpoint.idle_stop_minutes)],
    [words.hours, words.hoursOf(endpoint.max_hours)],
    [words.spend, spend === null ? words.noSpend : <Money key="" amount={spend} as="exact" />],
    [words.used, used === null ? words.never : <Time key="" at={used} />],
    [words.created, <Time key="" at={endpoint.created_at} as="instant" />],
    [words.id, <Id key="" id={endpoint.id} />],
  ];
  return (
    <Section title={words.title}>
      <Facts of={facts} />
    </Section>
  );
}

/** A model can be called where its endpoint runs. */
const ServedModel = ({ endpoint: { model, state } }: { readonly endpoint: TunedEndpoint }): ReactElement => (
  <>
    <Name>{model}</Name>{' '}
    {state === 'running' && (
      <PageLink to="/playground" search={{ model }}>
        {endpointText.facts.use}
      </PageLink>
    )}
  </>
);
