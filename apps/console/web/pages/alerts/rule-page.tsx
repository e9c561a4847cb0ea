import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { type AlertRule } from './alert';
import { alertColumns } from './alert-columns';
import { RuleStateBadge } from './badges';
import { MuteButton } from './mute';
import { READ_AGAIN_MS } from './read-again';
import { RemoveRule } from './remove-rule';
import { alertRuleRoute, alertsRoute } from './route';
import { RuleFacts } from './rule-facts';
import { RuleDialog } from './rule-form';
import { TestRule } from './test-rule';
import { text } from './text';

const SHOWN = 20;
const words = text.rule;
/** Of the rule and its alerts. */
const BOTH_AGAIN_MS = 2 * READ_AGAIN_MS;

const parent = (
  <Link to={alertsRoute.to} search={{ tab: 'rules' }}>
    {text.tabs.rules}
  </Link>
);

export function RulePage(): ReactElement {
  const { alertRuleId } = alertRuleRoute.useParams();
  const params = { path: { alert_rule_id: alertRuleId } };
  const rule = useRead('/alert-rules/{alert_rule_id}', { params }, { everyMs: BOTH_AGAIN_MS });
  return (
    <ReadPage of={rule} words={words} parent={parent}>
      {(data) => <OneRule rule={data} />}
    </ReadPage>
  );
}

function OneRule({ rule }: { readonly rule: AlertRule }): ReactElement {
  const canWrite = useCan('alert:write');
  return (
    <Page
      title={rule.name}
      parent={parent}
      subtitle={<RuleStateBadge of={rule} />}
      {...(canWrite && { actions: <Actions rule={rule} /> })}
    >
      <RuleFacts rule={rule} />
      <RuleAlerts rule={rule} />
    </Page>
  );
}

function Actions({ rule }: { readonly rule: AlertRule }): ReactElement {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <TestRule rule={rule} />
      <MuteButton rule={rule} />
      <Button onClick={() => setOpen('edit')}>{words.edit}</Button>
      <Button variant="danger" onClick={() => setOpen('delete')}>
        {words.delete}
      </Button>
      <RuleDialog rule={rule} isOpen={open === 'edit'} onClose={close} />
      <RemoveRule rule={rule} isOpen={open === 'delete'} onClose={close} />
    </>
  );
}

function RuleAlerts({ rule: { id } }: { readonly rule: AlertRule }): ReactElement {
  const query = { alert_rule_id: id, limit: SHOWN };
  const alerts = useRead('/alerts', { params: { query } }, { everyMs: BOTH_AGAIN_MS });
  return (
    <Section title={words.alerts}>
      <Result of={alerts} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{words.noAlerts}</p>
          ) : (
            <DataTable
              caption={words.alerts}
              rows={data}
              rowKey={({ id: alertId }) => alertId}
              columns={alertColumns}
            />
          )
        }
      </Result>
    </Section>
  );
}
