import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-api';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
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
  const confirm = async () => {
    if ((await remove.run(undefined)) === null) return;
    onClose();
    void navigate({ to: alertsRoute.to, search: { tab: 'rules' } });
  };
  return (
    <ConfirmDialog
      approval="alert_rule.delete"
      isOpen={isOpen}
      onClose={onClose}
      title={words.title}
      action={words.action}
      isBusy={remove.isBusy}
      error={remove.error}
      onConfirm={() => void confirm()}
    >
      <p>{words.effect}</p>
    </ConfirmDialog>
  );
}
