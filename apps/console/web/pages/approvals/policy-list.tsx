import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../app/pages-of-list';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PlusIcon } from '../../ui/icons/icons';
import { PagedTable } from '../../ui/table/paged-table';
import { type ApprovalPolicy } from './approval';
import { policyColumns } from './policy-columns';
import { PolicyDialog } from './policy-form';
import { RemovePolicy } from './remove-policy';
import { approvalsRoute } from './route';
import styles from './approvals.module.css';
import { text } from './text';

/** What makes changes wait. */
export function PolicyList(): ReactElement {
  const words = text.policies;
  const { create = false } = approvalsRoute.useSearch();
  const navigate = approvalsRoute.useNavigate();
  const canWrite = useCan('approval:write');
  const [changed, setChanged] = useState<ApprovalPolicy | null>(null);
  const [removed, setRemoved] = useState<ApprovalPolicy | null>(null);
  const pages = usePages();
  const policies = useRead('/approval-policies', { params: { query: pages.query } }, { keepsPrevious: true });
  const setCreating = (isOpen: boolean) =>
    void navigate({ search: (before) => ({ ...before, create: isOpen || undefined }), replace: true });
  const columns = policyColumns(canWrite ? { onChange: setChanged, onRemove: setRemoved } : null);
  return (
    <>
      {canWrite && (
        <p className={styles.create}>
          <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
            {words.create}
          </Button>
        </p>
      )}
      <PagedTable of={policies} pages={pages} columns={columns} words={words} />
      {canWrite && (
        <>
          <PolicyDialog policy={null} isOpen={create} onClose={() => setCreating(false)} />
          <PolicyDialog policy={changed} isOpen={changed !== null} onClose={() => setChanged(null)} />
          <RemovePolicy policy={removed} onClose={() => setRemoved(null)} />
        </>
      )}
    </>
  );
}
