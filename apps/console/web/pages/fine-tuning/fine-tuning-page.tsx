import { type ReactElement } from 'react';
import { Page } from '../../app/page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PlusIcon } from '../../ui/icons/icons';
import { Tabs } from '../../ui/tabs/tabs';
import { CreateJob } from './create-job';
import { FileList } from './file-list';
import { JobList } from './job-list';
import { ModelList } from './model-list';
import { fineTuningRoute } from './route';
import { text } from './text';

export function FineTuningPage(): ReactElement {
  const { tab = 'jobs', create = false } = fineTuningRoute.useSearch();
  const navigate = fineTuningRoute.useNavigate();
  const canWrite = useCan('fine_tuning:write');
  /** Over the list of jobs without a filter, which the new one is in then. */
  const setCreating = (isOpen: boolean) =>
    void navigate({ search: isOpen ? { create: true } : {}, replace: true });
  const words = text.tabs;
  return (
    <Page
      title={text.title}
      subtitle={text.purpose}
      actions={
        canWrite && (
          <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
            {text.jobs.create}
          </Button>
        )
      }
    >
      <Tabs
        label={words.label}
        value={tab}
        onChange={(next) => void navigate({ search: next === 'jobs' ? {} : { tab: next } })}
        tabs={[
          { key: 'jobs', label: words.jobs, panel: tab === 'jobs' && <JobList /> },
          { key: 'models', label: words.models, panel: tab === 'models' && <ModelList /> },
          { key: 'files', label: words.files, panel: tab === 'files' && <FileList /> },
        ]}
      />
      {canWrite && <CreateJob isOpen={create} onClose={() => setCreating(false)} />}
    </Page>
  );
}
