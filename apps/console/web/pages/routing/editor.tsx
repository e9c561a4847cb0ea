import { type ReactElement, useState } from 'react';
import { type ApiError } from '../../api/api-error';
import { useRested, useSimulation } from '../../calls/simulation';
import { LeaveGuard } from '../../frame/leave-guard';
import { Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';
import { TextArea } from '../../ui/fields/text-field';
import { Note, WarningNote } from '../../ui/states/notes';
import { Result } from '../../ui/states/result';
import { Tabs } from '../../ui/tabs/tabs';
import { useCatalogNames, type CatalogNames } from './catalog-names';
import { Conflict, WrittenSince } from './conflict';
import { Effect } from './effect';
import { type Policy } from './policy';
import { PolicyForm } from './policy-form';
import { routingRoute } from './route';
import styles from './routing.module.css';
import { SavePolicy } from './save-policy';
import { Simulator } from './simulator';
import { text } from './text';
import { useDraft, type Draft } from './use-draft';

const JSON_ROWS = 26;

type OpenDialog = 'save' | 'conflict' | null;

export interface EditorProps {
  readonly current: Policy;
  /** Reads the version in force again. */
  readonly onOutdated: () => void;
}

/** The policy in force as a draft to change, and beside it what calls would do under the draft. */
export function Editor({ current, onOutdated }: EditorProps): ReactElement {
  const draft = useDraft(current);
  const catalog = useCatalogNames();
  const [open, setOpen] = useState<OpenDialog>(null);
  const [refused, setRefused] = useState<ApiError | null>(null);
  return (
    <>
      {draft.isOutdated && (
        <WarningNote>
          <p className={styles.outdated}>
            <WrittenSince policy={current} />
            <Button onClick={() => setOpen('conflict')}>{text.conflict.compare}</Button>
          </p>
        </WarningNote>
      )}
      <div className={styles.columns}>
        <PolicySection draft={draft} catalog={catalog} refused={refused} onReview={() => setOpen('save')} />
        <div className={styles.beside}>
          <DraftEffect draft={draft} />
          <Simulator policy={draft.document} catalog={catalog} />
        </div>
      </div>
      <EditorDialogs {...{ draft, current, open, setOpen, onOutdated, onRefused: setRefused }} />
      <LeaveGuard isChanged={draft.changedCount > 0 || draft.jsonProblem !== null} />
    </>
  );
}

interface EditorDialogsProps extends EditorProps {
  readonly draft: Draft;
  readonly open: OpenDialog;
  readonly setOpen: (open: OpenDialog) => void;
  readonly onRefused: (error: ApiError | null) => void;
}

function EditorDialogs(props: EditorDialogsProps): ReactElement {
  const { draft, current, open, setOpen, onOutdated, onRefused } = props;
  const close = () => setOpen(null);
  return (
    <>
      <SavePolicy
        base={draft.base}
        document={draft.document}
        isOpen={open === 'save'}
        onClose={close}
        onSaved={(policy) => {
          draft.startFrom(policy);
          onRefused(null);
          close();
        }}
        onOutdated={() => {
          onOutdated();
          setOpen('conflict');
        }}
        onRefused={(error) => {
          onRefused(error);
          close();
        }}
      />
      <Conflict
        isOpen={open === 'conflict' && draft.isOutdated}
        onClose={close}
        base={draft.base}
        mine={draft.document}
        theirs={current}
        onKeep={() => {
          draft.putOn(current);
          close();
        }}
        onDrop={() => {
          draft.startFrom(current);
          close();
        }}
      />
    </>
  );
}

interface PolicySectionProps {
  readonly draft: Draft;
  readonly catalog: CatalogNames;
  readonly refused: ApiError | null;
  readonly onReview: () => void;
}

function PolicySection({ draft, catalog, refused, onReview }: PolicySectionProps): ReactElement {
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
  const canReview = canWrite && draft.changedCount > 0 && problem === null;
  return (
    <Section title={text.policy}>
      {!canWrite && <Note>{text.readOnly}</Note>}
      <Form
        label={text.policy}
        error={refused}
        onSubmit={() => canReview && onReview()}
        actions={<DraftActions draft={draft} canWrite={canWrite} />}
      >
        <Tabs
          label={text.tabs.label}
          value={tab}
          onChange={show}
          tabs={[
            {
              key: 'form',
              label: text.tabs.form,
              panel: <PolicyForm policy={draft.document} catalog={catalog} onChange={draft.change} />,
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

function DraftActions({
  draft,
  canWrite,
}: {
  readonly draft: Draft;
  readonly canWrite: boolean;
}): ReactElement {
  const { changedCount, jsonProblem, base } = draft;
  const isUnchanged = changedCount === 0 && jsonProblem === null;
  const reason = jsonProblem !== null ? text.jsonReason : isUnchanged ? text.changed(0) : null;
  return (
    <div className={styles.draftBar}>
      <span className="muted">{text.changed(changedCount)}</span>
      <span className={styles.buttons}>
        <Button disabledReason={isUnchanged ? text.changed(0) : null} onClick={() => draft.startFrom(base)}>
          {text.discard}
        </Button>
        {canWrite && (
          <Button type="submit" variant="primary" disabledReason={reason}>
            {text.review}
          </Button>
        )}
      </span>
    </div>
  );
}

/** What the draft changes for all models. */
function DraftEffect({ draft }: { readonly draft: Draft }): ReactElement {
  const isChanged = draft.changedCount > 0;
  const effect = useSimulation(useRested(draft.document), null, isChanged);
  return (
    <Section title={text.effect.title}>
      <div aria-live="polite" className={styles.result}>
        {isChanged ? (
          <Result of={effect} lines={2}>
            {({ changes }) => <Effect changes={changes ?? []} />}
          </Result>
        ) : (
          <p className="muted">{text.effect.same}</p>
        )}
      </div>
    </Section>
  );
}
