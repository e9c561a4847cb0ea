import { type ReactElement, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { useSimulation } from '../../calls/simulation';
import { formatCount } from '../../format/numbers';
import { writtenOf, type Policy, type PolicyDocument } from '../../policies/policy';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { ApprovalReason } from '../../ui/fields/approval-reason';
import { Footer } from '../../ui/footer/footer';
import { ErrorNote } from '../../ui/states/error-note';
import { WarningNote } from '../../ui/states/notes';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Effect, modelsThat } from './effect';
import { subjectOf, type PolicyOwner } from './owner';
import { changedByPolicy, writePolicy } from './policy-api';
import { PolicyChanges } from './policy-changes';
import styles from './routing.module.css';
import { text } from './text';

const DAY_MS = 86_400_000;
const CALLED_DAYS = 7;
const words = text.save;

interface SavePolicyProps {
  readonly owner: PolicyOwner;
  /** The version that is replaced, and only that one. */
  readonly base: Policy;
  readonly document: PolicyDocument;
  /** The version whose content is written again. */
  readonly restores?: number;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSaved: (policy: Policy) => void;
  /** Somebody else has written a version since. */
  readonly onOutdated: () => void;
  /** The API refused a field. */
  readonly onRefused?: (error: ApiError) => void;
}

/** Shows what a version would change before it is written. */
export function SavePolicy(props: SavePolicyProps): ReactElement {
  const { base, restores, isOpen, onClose } = props;
  const next = base.version + 1;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      size="large"
      title={restores === undefined ? words.title(next) : words.restoreTitle(restores, next)}
    >
      {isOpen && <Confirmation {...props} />}
    </Dialog>
  );
}

function Confirmation(props: SavePolicyProps): ReactElement {
  const { owner, base, document, onClose, onSaved } = props;
  const effect = useSimulation({ ...writtenOf(owner.level, document) }, null, subjectOf(owner));
  const called = useCalls(owner, modelsThat('stops', effect.data?.changes ?? []));
  const write = useWritePolicy(props);
  const isWaiting = effect.isPending || effect.isPlaceholderData || called.isWaiting;
  const isWarned = effect.isError || called.isUnknown || called.calls.length > 0;
  const save = async () => {
    const policy = await write.run(undefined);
    if (policy !== null) onSaved(policy);
  };
  return (
    <div className={styles.form}>
      <div className={styles.part}>
        <h3>{words.changes}</h3>
        <PolicyChanges from={base} to={document} label={words.changes} />
      </div>
      <div className={styles.part}>
        <h3>{text.effect.title}</h3>
        <Result of={effect} lines={2}>
          {({ changes }) => <Effect changes={changes ?? []} />}
        </Result>
      </div>
      {effect.isError && <WarningNote>{words.unknownEffect}</WarningNote>}
      {called.isUnknown && <WarningNote>{words.unknownCalls}</WarningNote>}
      {called.calls.length > 0 && <StoppedModels calls={called.calls} />}
      <ApprovalReason action="policy.update" />
      <ErrorNote error={write.error} takesFocus />
      <Footer>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          variant={isWarned ? 'danger' : 'primary'}
          isBusy={write.isBusy}
          disabledReason={isWaiting ? words.waiting : null}
          onClick={() => void save()}
        >
          {isWarned ? words.anyway : words.action}
        </Button>
      </Footer>
    </div>
  );
}

function useWritePolicy({ owner, base, document, onOutdated, onRefused }: SavePolicyProps) {
  return useWrite(
    async (api): Promise<Policy> => {
      try {
        return await writePolicy(owner, { api, document, replaced: base.version });
      } catch (error) {
        if (error instanceof ApiError && error.status === 412) onOutdated();
        else if (error instanceof ApiError && error.param !== null) onRefused?.(error);
        throw error;
      }
    },
    { changes: changedByPolicy, says: ({ version }) => words.done(version) },
  );
}

interface ModelCalls {
  readonly model: string;
  readonly requests: number;
}
interface KnownCalls {
  readonly calls: readonly ModelCalls[];
  readonly isWaiting: boolean;
  /** Whether it cannot be told which were called. */
  readonly isUnknown: boolean;
}

/** Which of the models the owner’s calls named in the last days, and how often. */
function useCalls({ level, id }: PolicyOwner, models: readonly string[]): KnownCalls {
  const canRead = useCan('usage:read');
  const isAsked = models.length > 0;
  const [start] = useState(() => new Date(Date.now() - CALLED_DAYS * DAY_MS).toISOString().slice(0, 10));
  const { data, isLoading, isError } = useRead(
    '/usage',
    {
      params: {
        query: {
          group_by: 'model',
          start,
          ...(level === 'project' && { project_id: id }),
          ...(level === 'key' && { api_key_id: id }),
        },
      },
    },
    { enabled: isAsked && canRead },
  );
  const calls = (data?.data ?? [])
    .map(({ model, requests }) => ({ model: model ?? '', requests }))
    .filter(({ model, requests }) => requests > 0 && models.includes(model));
  return { calls, isWaiting: isLoading, isUnknown: isAsked && (!canRead || isError) };
}

const StoppedModels = ({ calls }: { readonly calls: readonly ModelCalls[] }): ReactElement => (
  <WarningNote>
    <p>
      <strong>{words.called}</strong>
    </p>
    <DataTable
      caption={words.called}
      rows={calls}
      rowKey={({ model }) => model}
      columns={[
        { key: 'model', header: text.effect.model, wraps: true, cell: ({ model }) => <Name>{model}</Name> },
        {
          key: 'calls',
          header: words.calls,
          align: 'end',
          cell: ({ requests }) => formatCount(requests),
        },
      ]}
    />
  </WarningNote>
);
