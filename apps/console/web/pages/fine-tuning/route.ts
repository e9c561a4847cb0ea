import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { FineTuningIcon } from '../../ui/icons/icons';
import { jobList } from './list';

const shared = { permission: 'fine_tuning:read', what: 'fine-tuning' } as const;

/** `/console/fine-tuning`: jobs, the models that came of them, their endpoints, and the files that jobs train with. */
export const fineTuningRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/fine-tuning',
  validateSearch: address({
    tab: oneOf('models', 'files', 'endpoints'),
    ...jobList.address,
    create: flag,
  }),
  staticData: {
    ...shared,
    title: 'Fine-tuning',
    group: 'use',
    icon: FineTuningIcon,
    commands: [
      { label: 'Create fine-tuning job', permission: 'fine_tuning:write', search: { create: 'true' } },
      {
        label: 'Create endpoint of a tuned model',
        permission: 'fine_tuning:write',
        search: { tab: 'endpoints', create: 'true' },
      },
    ],
  },
});

/** `/console/fine-tuning/jobs/ftjob_…`: one job. */
export const fineTuningJobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/fine-tuning/jobs/$jobId',
  staticData: { ...shared, title: 'Fine-tuning job', opensIds: 'fineTuningJob' },
});

/** `/console/fine-tuning/endpoints/fte_…`: machines that serve one tuned model. */
export const fineTuningEndpointRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/fine-tuning/endpoints/$endpointId',
  staticData: { ...shared, title: 'Endpoint of a tuned model', opensIds: 'fineTuningEndpoint' },
});
