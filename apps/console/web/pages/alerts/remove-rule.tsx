import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { type AlertRule } from './alert';
import { alertsRoute } from './route';
import { text } from './text';

interface RemoveRuleProps {
  readonly rule: AlertRule;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function RemoveRule({ rule, isOpen, onClose }: RemoveRuleProps): ReactElement {
  const words = text.remove;
  const navigate = alertsRoute.useNavigate();
  const params = { path: { alert_rule_id: rule.id } };
  const remove = useWrite((api) => api.delete('/alert-rules/{alert_rule_id}', { params }), {
    changes: ['/alert-rules', '/alerts', '/audit-log'],
    removes: '/alert-rules/{alert_rule_id}',
    says: words.done,
  });
  return (
    <ConfirmWrite
      approval="alert_rule.delete"
      write={remove}
      isOpen={isOpen}
      onClose={onClose}
      words={words}
      onDone={() => void navigate({ to: alertsRoute.to, search: { tab: 'rules' } })}
    />
  );
}
