import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { formatCount, formatList } from '../../../format/numbers';
import { visibleLines, visibleText } from '../../../format/visible-text';
import { Facts, Section } from '../../../frame/page';
import { Button } from '../../../ui/button/button';
import { Result } from '../../../ui/states/result';
import { DataTable } from '../../../ui/table/data-table';
import { Id, Name } from '../../../ui/text/id';
import { Time } from '../../../ui/text/time';
import { useRead } from '../../api/use-api';
import { Buttons, Prose } from '../../frame/filters';
import { Page } from '../../frame/page';
import { SeverityBadge, StateBadge, type Incident } from './incident';
import { incidentRoute, incidentsRoute } from './route';
import { audienceWords, componentWords, sourceWords, text } from './text';
import { RenameIncident, UpdateIncident } from './update-incident';

const words = text.one;

export function IncidentPage(): ReactElement {
  const { incidentId } = incidentRoute.useParams();
  const params = { path: { incident_id: incidentId } };
  const incident = useRead('/incidents/{incident_id}', { params });
  const { data } = incident;
  return (
    <Page
      title={data?.title ?? words.title}
      parent={<Link to={incidentsRoute.to}>{words.parent}</Link>}
      {...(data && { subtitle: <StateBadge state={data.state} />, actions: <Actions of={data} /> })}
    >
      <Result of={incident} what={words.what}>
        {(found) => (
          <>
            <Section title={words.facts}>
              <Facts of={factsOf(found)} />
            </Section>
            <Updates of={found} />
            <Told incidentId={found.id} />
          </>
        )}
      </Result>
    </Page>
  );
}

function Actions({ of }: { readonly of: Incident }): ReactElement {
  const [opened, setOpened] = useState<'update' | 'resolve' | 'rename' | null>(null);
  const dialog = (name: NonNullable<typeof opened>) => ({
    incident: of,
    isOpen: opened === name,
    onClose: () => setOpened(null),
  });
  return (
    <Buttons>
      <Button onClick={() => setOpened('rename')}>{text.rename.open}</Button>
      <Button onClick={() => setOpened('update')}>{text.update.open}</Button>
      {of.state !== 'resolved' && (
        <Button variant="primary" onClick={() => setOpened('resolve')}>
          {text.resolve.open}
        </Button>
      )}
      <RenameIncident {...dialog('rename')} />
      <UpdateIncident {...dialog('update')} />
      <UpdateIncident {...dialog('resolve')} resolves />
    </Buttons>
  );
}

const wordOf = (component: string): string =>
  Object.hasOwn(componentWords, component)
    ? componentWords[component as keyof typeof componentWords]
    : visibleText(component);
const listOf = (names: readonly string[]): string =>
  names.length === 0 ? words.none : formatList(names.map(visibleText));

const factsOf = (of: Incident): readonly (readonly [string, ReactElement | string])[] => [
  [words.id, <Id key="" id={of.id} />],
  [words.severity, <SeverityBadge key="" severity={of.severity} />],
  [words.components, formatList(of.components.map(wordOf))],
  [words.providers, listOf(of.providers)],
  [words.models, listOf(of.models)],
  [words.audience, audienceWords[of.audience]],
  [words.told, formatCount(of.organization_count)],
  [words.source, of.managed ? words.managed : sourceWords[of.source]],
  [words.began, <Time key="" at={of.started_at} as="instant" />],
  ...(of.resolved_at === null
    ? []
    : [[words.ended, <Time key="" at={of.resolved_at} as="instant" />] as const]),
];

function Updates({ of: { updates } }: { readonly of: Incident }): ReactElement {
  return (
    <Section title={words.updates}>
      <ol>
        {updates.toReversed().map(({ at, state, severity, message }) => (
          <li key={at + message}>
            <p>
              <StateBadge state={state} /> <SeverityBadge severity={severity} /> <Time at={at} as="instant" />
            </p>
            <Prose>{visibleLines(message)}</Prose>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const SHOWN = 50;

/** Who heard of it: the newest, for a look whether the right ones did. */
function Told({ incidentId }: { readonly incidentId: string }): ReactElement {
  const params = { path: { incident_id: incidentId }, query: { limit: SHOWN } };
  const told = useRead('/incidents/{incident_id}/organizations', { params });
  return (
    <Section title={words.organizations}>
      <Result of={told} lines={3}>
        {({ data, has_more }) =>
          data.length === 0 ? (
            <p className="muted">{words.noOrganizations}</p>
          ) : (
            <>
              <DataTable
                caption={words.organizations}
                rows={data}
                rowKey={({ id }) => id}
                columns={[
                  {
                    key: 'organization',
                    header: words.organization,
                    cell: ({ id, name }) => (
                      <Link to="/organizations/$organizationId" params={{ organizationId: id }}>
                        <Name>{name}</Name>
                      </Link>
                    ),
                  },
                  { key: 'since', header: words.since, cell: ({ affected_since: at }) => <Time at={at} /> },
                ]}
              />
              {has_more && <p className="muted">{words.first(data.length)}</p>}
            </>
          )
        }
      </Result>
    </Section>
  );
}
