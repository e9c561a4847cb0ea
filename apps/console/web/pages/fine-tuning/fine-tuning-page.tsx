import { type ReactElement } from 'react';
import { Page } from '../../frame/page';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { Tabs } from '../../ui/tabs/tabs';
import { CreateEndpoint } from './create-endpoint';
import { CreateJob } from './create-job';
import { EndpointList } from './endpoint-list';
import { endpointText } from './endpoint-text';
import { FileList } from './file-list';
import { JobList } from './job-list';
import { ModelList } from './model-list';
import { fineTuningRoute } from './route';
import { text } from './text';

export function FineTuningPage(): ReactElement {
  const { tab = 'jobs', create = false } = fineTuningRoute.useSearch();
  const navigate = fineTuningRoute.useNavigate();
  const canWrite = useCan('fine_tuning:write');
  const isEndpoints = tab === 'endpoints';
  /** Over a list without a filter, which the new one is in then. */
  const setCreating = (isOpen: boolean) =>
    void navigate({
      search: { ...(isEndpoints && { tab }), ...(isOpen && { create: true }) },
      replace: true,
    });
  const stopCreating = () => setCreating(false);
  const words = text.tabs;
  return (
    <Page
      title={text.title}
      subtitle={text.purpose}
      actions={
        canWrite && (
          <AddButton onClick={() => setCreating(true)}>
            {isEndpoints ? endpointText.list.create : text.jobs.create}
          </AddButton>
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
          { key: 'endpoints', label: words.endpoints, panel: isEndpoints && <EndpointList /> },
          { key: 'files', label: words.files, panel: tab === 'files' && <FileList /> },
        ]}
      />
      {canWrite && <CreateJob isOpen={create && !isEndpoints} onClose={stopCreating} />}
      {canWrite && <CreateEndpoint isOpen={create && isEndpoints} onClose={stopCreating} />}
    </Page>
  );
}
