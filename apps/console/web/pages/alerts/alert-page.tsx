import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { usePeople } from '../../api/use-people';
import { Facts, Page, Section } from '../../frame/page';
import { Person } from '../../frame/person';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Alert } from './alert';
import { ItsCalls, ToldWebhooks } from './alert-cause';
import { AlertStateBadge, conditionOf, SeverityBadge } from './badges';
import { Messages } from './messages';
import { READ_AGAIN_MS } from './read-again';
import { alertRoute, alertRuleRoute, alertsRoute } from './route';
import { text } from './text';
import { formatObserved } from './threshold';

const words = text.alert;
const parent = <Link to={alertsRoute.to}>{text.title}</Link>;

export function AlertPage(): ReactElement {
  const { alertId } = alertRoute.useParams();
  const everyMs = ({ state }: Alert) => state === 'firing' && READ_AGAIN_MS;
  const alert = useRead('/alerts/{alert_id}', { params: { path: { alert_id: alertId } } }, { everyMs });
  return (
    <ReadPage of={alert} words={words} parent={parent}>
      {(data) => <OneAlert alert={data} />}
    </ReadPage>
  );
}

function OneAlert({ alert }: { readonly alert: Alert }): ReactElement {
  return (
    <Page
      title={alert.rule.name}
      parent={parent}
      subtitle={<AlertStateBadge of={alert} />}
      actions={<Acknowledge alert={alert} />}
    >
      <AlertFacts alert={alert} />
      <Section title={text.told.title}>
        <Messages of={alert.notifications} />
      </Section>
      <ToldWebhooks alert={alert} />
    </Page>
  );
}

function AlertFacts({ alert }: { readonly alert: Alert }): ReactElement {
  const people = usePeople();
  const {
    rule,
    acknowledged_by: by,
    acknowledged_at: at,
    resolved_at: resolved,
    resolve_reason: why,
  } = alert;
  return (
    <Section title={words.facts} actions={<ItsCalls alert={alert} />}>
      <Facts
        of={[
          [words.id, <Id key="id" id={alert.id} />],
          [
            words.rule,
            <Link key="rule" to={alertRuleRoute.to} params={{ alertRuleId: alert.alert_rule_id }}>
              <Name>{rule.name}</Name>
            </Link>,
          ],
          [words.condition, conditionOf(rule)],
          [words.severity, <SeverityBadge key="severity" of={alert.severity} />],
          [words.observed, formatObserved(rule.metric, alert.observed)],
          [words.peak, formatObserved(rule.metric, alert.peak)],
          [words.fired, <Time key="fired" at={alert.fired_at} as="instant" />],
          ...(resolved === null
            ? []
            : [[words.resolved, <Time key="resolved" at={resolved} as="instant" />] as const]),
          ...(why === null ? [] : [[words.reason, words.reasons[why]] as const]),
          ...(by === null
            ? []
            : [[words.acknowledgedBy, <Person key="by" id={by} people={people} />] as const]),
          ...(at === null ? [] : [[words.acknowledged, <Time key="at" at={at} as="instant" />] as const]),
        ]}
      />
    </Section>
  );
}

function Acknowledge({ alert }: { readonly alert: Alert }): ReactElement | null {
  const canWrite = useCan('alert:write');
  const params = { path: { alert_id: alert.id } };
  const acknowledge = useWrite((api) => api.post('/alerts/{alert_id}/acknowledge', { params }), {
    changes: ['/alerts', '/audit-log'],
    says: words.done,
  });
  if (!canWrite) return null;
  const disabledReason =
    alert.state === 'resolved'
      ? words.resolvedReason
      : alert.acknowledged_at === null
        ? null
        : words.acknowledgedReason;
  return (
    <Button
      variant="primary"
      disabledReason={disabledReason}
      isBusy={acknowledge.isBusy}
      onClick={() => void acknowledge.run(undefined)}
    >
      {words.acknowledge}
    </Button>
  );
}
