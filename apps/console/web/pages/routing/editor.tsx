import { type ReactElement, useState } from 'react';
import { type ApiError } from '../../api/api-error';
import { useRested } from '../../browser/use-rested';
import { useSimulation } from '../../calls/simulation';
import { LeaveGuard } from '../../frame/leave-guard';
import { Section } from '../../frame/page';
import { useCatalogNames } from '../../policies/catalog-names';
import { writtenOf, type Policy } from '../../policies/policy';
import { Button } from '../../ui/button/button';
import { WarningNote } from '../../ui/states/notes';
import { Result } from '../../ui/states/result';
import { Conflict, WrittenSince } from './conflict';
import { Effect } from './effect';
import { subjectOf, type PolicyOwner } from './owner';
import { PolicySection } from './policy-section';
import styles from './routing.module.css';
import { SavePolicy } from './save-policy';
import { Simulator } from './simulator';
import { text } from './text';
import { useDraft, type Draft } from './use-draft';

type OpenDialog = 'save' | 'conflict' | null;

export interface EditorProps {
  readonly owner: PolicyOwner;
  readonly current: Policy;
  /** Why the policy cannot be written; null where it can. */
  readonly lock: string | null;
  /** Reads the version in force again. */
  readonly onOutdated: () => void;
}

/** The policy in force as a draft to change, and beside it what calls would do under the draft. */
export function Editor(props: EditorProps): ReactElement {
  const { owner, current, lock, onOutdated } = props;
  const draft = useDraft(owner.level, current);
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
        <PolicySection {...{ owner, draft, catalog, refused, lock }} onReview={() => setOpen('save')} />
        <div className={styles.beside}>
          <DraftEffect owner={owner} draft={draft} />
          <Simulator
            draft={{ level: owner.level, document: draft.document }}
            subject={subjectOf(owner)}
            purpose={text.simulator.purpose}
            catalog={catalog}
          />
        </div>
      </div>
      <EditorDialogs {...{ owner, draft, current, open, setOpen, onOutdated, onRefused: setRefused }} />
      <LeaveGuard
        isChanged={draft.changedCount > 0 || draft.jsonProblem !== null}
        isLeftBySearch={isAnotherOwner}
      />
    </>
  );
}

const isAnotherOwner = (
  from: Readonly<Record<string, unknown>>,
  to: Readonly<Record<string, unknown>>,
): boolean => ['level', 'project', 'key'].some((name) => from[name] !== to[name]);

interface EditorDialogsProps extends Omit<EditorProps, 'lock'> {
  readonly draft: Draft;
  readonly open: OpenDialog;
  readonly setOpen: (open: OpenDialog) => void;
  readonly onRefused: (error: ApiError | null) => void;
}

function EditorDialogs(props: EditorDialogsProps): ReactElement {
  const { owner, draft, current, open, setOpen, onOutdated, onRefused } = props;
  const close = () => setOpen(null);
  return (
    <>
      <SavePolicy
        owner={owner}
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

/** The effect of the draft on all models. */
function DraftEffect(props: { readonly owner: PolicyOwner; readonly draft: Draft }): ReactElement {
  const { owner, draft } = props;
  const isChanged = draft.changedCount > 0;
  const policy = { ...writtenOf(owner.level, useRested(draft.document)) };
  const effect = useSimulation(policy, null, subjectOf(owner), isChanged);
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
