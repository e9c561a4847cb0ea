import { type ReactElement } from 'react';
import { type ApiError } from '../../api/api-error';
import { Section } from '../../frame/page';
import { type CatalogNames } from '../../policies/catalog-names';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';
import { TextArea } from '../../ui/fields/text-field';
import { Note, WarningNote } from '../../ui/states/notes';
import { Tabs } from '../../ui/tabs/tabs';
import { type PolicyOwner } from './owner';
import { PolicyForm } from './policy-form';
import { routingRoute } from './route';
import styles from './routing.module.css';
import { text } from './text';
import { type Draft } from './use-draft';

const JSON_ROWS = 26;

interface PolicySectionProps {
  readonly owner: PolicyOwner;
  /** Why the policy cannot be written; null where it can. */
  readonly lock: string | null;
  readonly draft: Draft;
  readonly catalog: CatalogNames;
  readonly refused: ApiError | null;
  readonly onReview: () => void;
}

/** The draft, as a form or as JSON. */
export function PolicySection(props: PolicySectionProps): ReactElement {
  const { owner, draft, catalog, refused, lock, onReview } = props;
  const { tab = 'form' } = routingRoute.useSearch();
  const navigate = routingRoute.useNavigate();
  const canWrite = useCan('policy:write');
  const problem = draft.jsonProblem === null ? null : text.jsonProblem(draft.jsonProblem.field);
  const show = (next: 'form' | 'json') =>
    void navigate({
      search: (address) => ({ ...address, tab: next === 'json' ? next : undefined }),
      replace: true,
      resetScroll: false,
    });
  const canReview = canWrite && lock === null && draft.changedCount > 0 && problem === null;
  return (
    <Section title={text.policy}>
      <WhyNot canWrite={canWrite} lock={lock} />
      <Form
        label={text.policy}
        error={refused}
        onSubmit={() => canReview && onReview()}
        actions={<DraftActions {...{ draft, canWrite, lock }} />}
      >
        <Tabs
          label={text.tabs.label}
          value={tab}
          onChange={show}
          tabs={[
            {
              key: 'form',
              label: text.tabs.form,
              panel: (
                <PolicyForm
                  level={owner.level}
                  policy={draft.document}
                  catalog={catalog}
                  onChange={draft.change}
                />
              ),
            },
            {
              key: 'json',
              label: text.tabs.json,
              panel: (
                <TextArea
                  label={text.json}
                  hint={text.jsonHint}
                  rows={JSON_ROWS}
                  isCode
                  value={draft.json}
                  problem={problem}
                  onChange={draft.typeJson}
                />
              ),
            },
          ]}
        />
      </Form>
    </Section>
  );
}

/** Why changes can be tried, but not saved. */
function WhyNot(props: { readonly canWrite: boolean; readonly lock: string | null }): ReactElement {
  return (
    <>
      {!props.canWrite && <Note>{text.readOnly}</Note>}
      {props.lock !== null && <WarningNote>{props.lock}</WarningNote>}
    </>
  );
}

function DraftActions({
  draft,
  canWrite,
  lock,
}: Pick<PolicySectionProps, 'draft' | 'lock'> & { readonly canWrite: boolean }): ReactElement {
  const { changedCount, jsonProblem, base } = draft;
  const isUnchanged = changedCount === 0 && jsonProblem === null;
  const problem = jsonProblem !== null ? text.jsonReason : isUnchanged ? text.changed(0) : null;
  return (
    <div className={styles.draftBar}>
      <span className="muted">{text.changed(changedCount)}</span>
      <span className={styles.buttons}>
        <Button disabledReason={isUnchanged ? text.changed(0) : null} onClick={() => draft.startFrom(base)}>
          {text.discard}
        </Button>
        {canWrite && (
          <Button type="submit" variant="primary" disabledReason={lock ?? problem}>
            {text.review}
          </Button>
        )}
      </span>
    </div>
  );
}
