import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useOpened } from '../../browser/opened';
import { usePages } from '../../browser/pages-of-list';
import { FirstButton } from '../../frame/first-button';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { PagedTable } from '../../ui/table/paged-table';
import { type ApprovalPolicy } from './approval';
import styles from './approvals.module.css';
import { policyColumns } from './policy-columns';
import { PolicyDialog } from './policy-form';
import { RemovePolicy } from './remove-policy';
import { text } from './text';

/** Policies that make changes wait. */
export function PolicyList(): ReactElement {
  const words = text.policies;
  const canWrite = useCan('approval:write');
  const [changed, setChanged] = useState<ApprovalPolicy | null>(null);
  const [removed, setRemoved] = useState<ApprovalPolicy | null>(null);
  const pages = usePages();
  const policies = useRead('/approval-policies', { params: { query: pages.query } }, { keepsPrevious: true });
  const creating = useOpened('create');
  const columns = policyColumns(canWrite ? { onChange: setChanged, onRemove: setRemoved } : null);
  return (
    <>
      {canWrite && (
        <p className={styles.create}>
          <AddButton onClick={creating.open}>{words.create}</AddButton>
        </p>
      )}
      <PagedTable
        of={policies}
        pages={pages}
        columns={columns}
        words={words}
        firstAction={<FirstButton opens="create" needs="approval:write" label={words.first} />}
      />
      {canWrite && (
        <>
          <PolicyDialog policy={null} {...creating.dialog} />
          <PolicyDialog policy={changed} isOpen={changed !== null} onClose={() => setChanged(null)} />
          <RemovePolicy policy={removed} onClose={() => setRemoved(null)} />
        </>
      )}
    </>
  );
}
