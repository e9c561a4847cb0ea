import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { ErrorNote } from '../../ui/states/error-note';
import { type AlertRule, type Notification } from './alert';
import { Messages } from './messages';
import { text } from './text';

/** Sends a mail that is marked as a test, and shows whom it is for. */
export function TestRule({ rule }: { readonly rule: AlertRule }): ReactElement {
  const [told, setTold] = useState<readonly Notification[] | null>(null);
  const params = { path: { alert_rule_id: rule.id } };
  const test = useWrite((api) => api.post('/alert-rules/{alert_rule_id}/test', { params }), {
    changes: ['/audit-log'],
    says: ({ notifications }) => text.rule.tested(notifications.length),
  });
  const run = async () => {
    const answer = await test.run(undefined);
    if (answer !== null) setTold(answer.notifications);
  };
  return (
    <>
      <Button isBusy={test.isBusy} onClick={() => void run()}>
        {text.rule.test}
      </Button>
      <ErrorNote error={test.error} />
      <Dialog isOpen={told !== null} onClose={() => setTold(null)} title={text.told.title} size="large">
        <Messages of={told ?? []} />
      </Dialog>
    </>
  );
}
