import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { FormDialog } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { Button } from '../../ui/button/button';
import { RadioGroup } from '../../ui/fields/check-field';
import { ErrorNote } from '../../ui/states/error-note';
import { type AlertRule } from './alert';
import { text } from './text';

const HOUR_MS = 3_600_000;
const spans = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS } as const;
type Span = keyof typeof spans;
const words = text.mute;

/** Stops the messages of a rule for a while, or starts them again. */
export function MuteButton({ rule }: { readonly rule: AlertRule }): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const unmute = useMute(rule, words.unmuted);
  const isMuted = rule.muted_until !== null && new Date(rule.muted_until) > new Date();
  if (isMuted)
    return (
      <>
        <Button isBusy={unmute.isBusy} onClick={() => void unmute.run(null)}>
          {words.unmute}
        </Button>
        <ErrorNote error={unmute.error} />
      </>
    );
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words.action}</Button>
      <FormDialog isOpen={isOpen} onClose={() => setOpen(false)} title={words.title} description={words.note}>
        <MuteForm rule={rule} onClose={() => setOpen(false)} />
      </FormDialog>
    </>
  );
}

const useMute = (rule: AlertRule, says: string) =>
  useWrite(
    (api, until: string | null) =>
      api.patch('/alert-rules/{alert_rule_id}', {
        params: { path: { alert_rule_id: rule.id } },
        body: { muted_until: until },
      }),
    { changes: ['/alert-rules', '/audit-log'], says },
  );

interface MuteFormProps {
  readonly rule: AlertRule;
  readonly onClose: () => void;
}

function MuteForm({ rule, onClose }: MuteFormProps): ReactElement {
  const [span, setSpan] = useState<Span>('hour');
  const mute = useMute(rule, words.muted);
  const submit = async () => {
    const until = new Date(Date.now() + spans[span]).toISOString();
    if ((await mute.run(until)) !== null) onClose();
  };
  return (
    <WriteForm write={mute} isChanged={false} action={words.submit} onSubmit={() => void submit()}>
      <RadioGroup
        label={words.label}
        value={span}
        onChange={setSpan}
        choices={[
          { value: 'hour', label: words.spans.hour },
          { value: 'day', label: words.spans.day },
          { value: 'week', label: words.spans.week },
        ]}
      />
    </WriteForm>
  );
}
