export { EndpointPage } from '../../pages/fine-tuning/endpoint-page';
export { FineTuningPage } from '../../pages/fine-tuning/fine-tuning-page';
export { JobPage } from '../../pages/fine-tuning/job-page';
