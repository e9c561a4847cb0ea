import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { roleLabel } from '../../session/roles';
import { Checkbox } from '../../ui/fields/check-field';
import { CheckList } from '../../ui/fields/check-list';
import { Group } from '../../ui/fields/group';
import { MoneyField } from '../../ui/fields/money-field';
import { NumberField } from '../../ui/fields/number-field';
import { TextField } from '../../ui/fields/text-field';
import { type ApprovalPolicy, type NewApprovalPolicy, type Role } from './approval';
import { draftOf, policyOf, type PolicyDraft } from './policy-draft';
import { text } from './text';

/** The roles that can decide at all (docs/reference/authentication-and-permissions.md#permissions). */
const deciders: readonly Role[] = ['owner', 'security_admin', 'finance'];

interface PolicyDialogProps {
  /** Null for a new one. */
  readonly policy: ApprovalPolicy | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Creates a policy, or changes one, which waits for the policy as it was. */
export function PolicyDialog({ policy, isOpen, onClose }: PolicyDialogProps): ReactElement {
  const words = text.form;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      size="large"
      title={policy === null ? words.createTitle : words.editTitle}
      description={policy === null ? undefined : words.editNote}
    >
      <PolicyForm policy={policy} />
    </FormDialog>
  );
}

function PolicyForm({ policy }: Pick<PolicyDialogProps, 'policy'>): ReactElement {
  const words = text.form;
  const [initial] = useState(() => draftOf(policy));
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<PolicyDraft>) => setDraft((before) => ({ ...before, ...change }));
  const done = useFormDone();
  const save = useSave(policy);
  const isNameless = draft.name.trim() === '';
  const isActionless = draft.actions.length === 0;
  const submit = async () => {
    setTried(true);
    const body = policyOf(draft);
    if (body === null || isNameless || isActionless) return;
    if ((await save.run(body)) !== null) done();
  };
  return (
    <WriteForm
      approval={policy === null ? 'approval_policy.create' : 'always'}
      label={policy === null ? words.createTitle : words.editTitle}
      write={save}
      isChanged={draft !== initial}
      action={policy === null ? words.submit : words.save}
      onSubmit={() => void submit()}
    >
      <TextField
        name="name"
        label={words.name}
        value={draft.name}
        problem={isTried && isNameless ? words.noName : null}
        onChange={(name) => set({ name })}
      />
      <Group name="actions" problem={isTried && isActionless ? words.noAction : null}>
        <ActionBoxes chosen={draft.actions} onChange={(actions) => set({ actions })} />
      </Group>
      <PolicyRules draft={draft} onChange={set} />
    </WriteForm>
  );
}

interface PolicyRulesProps {
  readonly draft: PolicyDraft;
  readonly onChange: (change: Partial<PolicyDraft>) => void;
}

/** From which amount on, who decides, how many of them, and for how long. */
function PolicyRules({ draft, onChange: set }: PolicyRulesProps): ReactElement {
  const words = text.form;
  return (
    <>
      <MoneyField
        name="amount_above_nanos"
        label={words.above}
        hint={words.aboveHint}
        value={draft.above}
        onChange={(above) => set({ above })}
      />
      <Group name="approvers">
        <CheckList
          label={words.roles}
          choices={deciders.map((role) => ({ value: role, label: roleLabel(role) }))}
          chosen={draft.roles}
          onChange={(roles) => set({ roles })}
        />
        <TextField
          label={words.users}
          hint={words.usersHint}
          value={draft.users}
          onChange={(users) => set({ users })}
        />
      </Group>
      <NumberField
        name="required_approvals"
        label={words.required}
        hint={words.requiredHint}
        min={1}
        max={5}
        value={draft.required}
        onChange={(required) => set({ required })}
      />
      <NumberField
        name="expires_after_seconds"
        label={words.hours}
        value={draft.hours}
        onChange={(hours) => set({ hours })}
      />
      <Checkbox
        label={words.enabled}
        isChecked={draft.isEnabled}
        onChange={(isEnabled) => set({ isEnabled })}
      />
    </>
  );
}

function useSave(policy: ApprovalPolicy | null) {
  const words = text.form;
  return useWrite(
    (api, body: NewApprovalPolicy) =>
      policy === null
        ? api.post('/approval-policies', { body })
        : api.patch('/approval-policies/{approval_policy_id}', {
            params: { path: { approval_policy_id: policy.id } },
            body,
          }),
    {
      changes: ['/approval-', '/audit-log'],
      says: policy === null ? words.created : words.saved,
    },
  );
}

interface ActionBoxesProps {
  readonly chosen: readonly string[];
  readonly onChange: (actions: readonly string[]) => void;
}

/** The changes that can wait, and those of the policy that stand for all of a noun. */
function ActionBoxes({ chosen, onChange }: ActionBoxesProps): ReactElement {
  const actions = useRead('/approval-actions', {});
  const known = actions.data?.data ?? [];
  const others = chosen.filter((action) => !known.some((one) => one.action === action));
  const choices = [...others.map((action) => ({ action, description: undefined })), ...known];
  return (
    <CheckList
      label={text.form.actions}
      choices={choices.map(({ action, description }) => ({
        value: action,
        label: <code>{action}</code>,
        note: description,
      }))}
      chosen={chosen}
      onChange={onChange}
    />
  );
}
