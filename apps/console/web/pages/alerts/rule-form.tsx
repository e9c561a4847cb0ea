import { type ReactElement, type ReactNode, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { Checkbox } from '../../ui/fields/check-field';
import { SelectField } from '../../ui/fields/select-field';
import { TextField } from '../../ui/fields/text-field';
import { type AlertRule, type NewAlertRule } from './alert';
import { metricFacts, metrics, metricWords } from './metrics';
import { NotifyFields } from './notify-fields';
import { draftOf, ruleOf, type DraftFieldsProps, type RuleDraft } from './rule-draft';
import { RulePreview } from './rule-preview';
import { severityWords, text } from './text';
import { parseThreshold } from './threshold';
import styles from './alerts.module.css';
import { FilterFields, RepeatField, TimingFields, WindowFields } from './watch-fields';

const words = text.form;

interface RuleDialogProps {
  /** Null for a new one. */
  readonly rule: AlertRule | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Creates a rule, or changes one. */
export function RuleDialog({ rule, isOpen, onClose }: RuleDialogProps): ReactElement {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      size="large"
      title={rule === null ? words.createTitle : words.editTitle}
    >
      <RuleForm rule={rule} />
    </FormDialog>
  );
}

function RuleForm({ rule }: Pick<RuleDialogProps, 'rule'>): ReactElement {
  const [initial] = useState(() => draftOf(rule));
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...change }));
  const done = useFormDone();
  const save = useSave(rule);
  const submit = async () => {
    setTried(true);
    const body = ruleOf(draft);
    if (body === null || body.name === '') return;
    if ((await save.run(body)) !== null) done();
  };
  return (
    <WriteForm
      approval={rule === null ? 'alert_rule.create' : 'alert_rule.update'}
      label={rule === null ? words.createTitle : words.editTitle}
      write={save}
      isChanged={draft !== initial}
      action={rule === null ? words.submit : words.save}
      onSubmit={() => void submit()}
    >
      <TextField
        name="name"
        label={words.name}
        value={draft.name}
        problem={isTried && draft.name.trim() === '' ? words.noName : null}
        onChange={(name) => set({ name })}
      />
      <div className={styles.beside}>
        <div className={styles.parts}>
          <RuleParts draft={draft} isTried={isTried} onChange={set} />
        </div>
        <RulePreview draft={draft} />
      </div>
    </WriteForm>
  );
}

/** The metric, when it fires, and who is notified. */
function RuleParts(props: DraftFieldsProps & { readonly isTried: boolean }): ReactElement {
  const { draft, isTried, onChange } = props;
  return (
    <>
      <Part title={words.parts.watch}>
        <MetricField draft={draft} onChange={onChange} />
        <FilterFields draft={draft} onChange={onChange} />
      </Part>
      <Part title={words.parts.when}>
        <ThresholdField draft={draft} isTried={isTried} onChange={onChange} />
        <WindowFields draft={draft} onChange={onChange} />
        <TimingFields draft={draft} onChange={onChange} />
      </Part>
      <Part title={words.parts.notify}>
        <SeverityField draft={draft} onChange={onChange} />
        <NotifyFields draft={draft} onChange={onChange} />
        <RepeatField draft={draft} onChange={onChange} />
      </Part>
      <Checkbox
        label={words.enabled}
        isChecked={draft.isEnabled}
        onChange={(isEnabled) => onChange({ isEnabled })}
      />
    </>
  );
}

const useSave = (rule: AlertRule | null) =>
  useWrite(
    (api, body: NewAlertRule) =>
      rule === null
        ? api.post('/alert-rules', { body })
        : api.patch('/alert-rules/{alert_rule_id}', { params: { path: { alert_rule_id: rule.id } }, body }),
    {
      changes: ['/alert-rules', '/alerts', '/audit-log'],
      says: rule === null ? words.created : words.saved,
    },
  );

/** One of the three questions that a rule answers. */
function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <fieldset className={styles.part}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function MetricField({ draft: { metric }, onChange }: DraftFieldsProps): ReactElement {
  return (
    <SelectField
      name="metric"
      label={words.metric}
      value={metric}
      onChange={(chosen) => onChange({ metric: chosen })}
      choices={metrics.map((value) => ({ value, label: metricWords[value] }))}
    />
  );
}

function ThresholdField(props: DraftFieldsProps & { readonly isTried: boolean }): ReactElement {
  const { draft, isTried, onChange } = props;
  const { metric, threshold } = draft;
  const isNone = parseThreshold(metric, threshold) === null;
  return (
    <TextField
      name="threshold"
      label={words.threshold}
      hint={words.units[metricFacts[metric].unit]}
      inputMode="decimal"
      value={threshold}
      problem={isTried && isNone ? words.noThreshold : null}
      onChange={(typed) => onChange({ threshold: typed })}
    />
  );
}

function SeverityField({ draft: { severity }, onChange }: DraftFieldsProps): ReactElement {
  return (
    <SelectField
      name="severity"
      label={words.severity}
      value={severity}
      onChange={(chosen) => onChange({ severity: chosen })}
      choices={(['info', 'warning', 'critical'] as const).map((value) => ({
        value,
        label: severityWords[value],
      }))}
    />
  );
}
