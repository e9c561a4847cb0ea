import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode } from 'react';
import { useRead } from '../../api/use-api';
import { formatList } from '../../format/numbers';
import { visibleLines, visibleText } from '../../format/visible-text';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { Id } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { SeverityBadge, StateBadge } from './badges';
import { type Incident } from './incident';
import styles from './incidents.module.css';
import { incidentRoute, incidentsRoute } from './route';
import { componentWords, text } from './text';

const words = text.one;
/** How often an open incident is read again. */
const EVERY_MS = 60_000;
const parent = <Link to={incidentsRoute.to}>{text.title}</Link>;

export function IncidentPage(): ReactElement {
  const { incidentId } = incidentRoute.useParams();
  const params = { path: { incident_id: incidentId } };
  const everyMs = ({ state }: Incident) => state !== 'resolved' && EVERY_MS;
  const incident = useRead('/incidents/{incident_id}', { params }, { everyMs });
  return (
    <ReadPage of={incident} words={words} parent={parent}>
      {(data) => <OneIncident incident={data} />}
    </ReadPage>
  );
}

function OneIncident({ incident }: { readonly incident: Incident }): ReactElement {
  return (
    <Page title={incident.title} parent={parent} subtitle={<StateBadge of={incident.state} />}>
      <Section title={words.updates}>
        <ol className={styles.updates} aria-label={words.updates}>
          {[...incident.updates].reverse().map(({ at, state, severity, message }, place, { length }) => (
            // Updates are only ever added, at the front of what is shown.
            <li key={length - place}>
              <p>
                <StateBadge of={state} /> <SeverityBadge of={severity} /> <Time at={at} as="instant" />
              </p>
              <p className={styles.message}>{visibleLines(message)}</p>
            </li>
          ))}
        </ol>
      </Section>
      <IncidentFacts incident={incident} />
    </Page>
  );
}

function IncidentFacts({ incident }: { readonly incident: Incident }): ReactElement {
  const { components, providers, models, resolved_at: resolved } = incident;
  const about: readonly (readonly [string, ReactNode])[] = [
    [words.components, visibleText(formatList(components.map(componentWords)))] as const,
    [words.providers, visibleText(formatList(providers))] as const,
    [words.models, visibleText(formatList(models))] as const,
  ].filter(([, names]) => names !== '');
  return (
    <Section title={words.facts}>
      <Facts
        of={[
          [words.id, <Id key="id" id={incident.id} />],
          [words.severity, <SeverityBadge key="severity" of={incident.severity} />],
          ...about,
          [words.source, words.sources[incident.source]],
          [words.started, <Time key="started" at={incident.started_at} as="instant" />],
          [words.affected, <Time key="affected" at={incident.affected_since} as="instant" />],
          ...(resolved === null
            ? []
            : [[words.resolved, <Time key="resolved" at={resolved} as="instant" />] as const]),
        ]}
      />
    </Section>
  );
}
