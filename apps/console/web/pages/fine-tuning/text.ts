import { formatCount, formatPlural } from '../../format/numbers';
import { type Job } from './tuning';

export const stateWords: Readonly<Record<Job['state'], string>> = {
  validating_files: 'Uploading files',
  queued: 'Waiting',
  running: 'Training',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const formatLoss = (loss: number): string => significant.format(loss);

const failures: Readonly<Record<NonNullable<Job['failure_code']>, string>> = {
  training_file_rejected: 'The provider rejected the training file.',
  provider_error: 'The provider failed.',
  provider_unreachable: 'The provider could not be reached for 72 hours.',
};

export const text = {
  title: 'Fine-tuning',
  purpose: 'Train models with your own examples.',
  tabs: { label: 'Fine-tuning', jobs: 'Jobs', models: 'Models', endpoints: 'Endpoints', files: 'Files' },
  jobs: {
    caption: 'Fine-tuning jobs',
    what: 'jobs',
    create: 'Create job',
    emptyTitle: 'No fine-tuning jobs yet',
    first: 'Create your first job',
    empty: 'Upload a file of examples with an API key, then create a job.',
    columns: { job: 'Job', state: 'State', result: 'Tuned model', cost: 'Cost', created: 'Created' },
    none: 'None',
    atMost: 'at most',
    filter: 'State',
  },
  models: {
    caption: 'Tuned models',
    emptyTitle: 'No tuned models yet',
    empty: 'Successful jobs create tuned models. Use their name as the model in calls.',
    columns: {
      model: 'Model',
      base: 'Base model',
      provider: 'Provider',
      job: 'Job',
      created: 'Created',
      actions: 'Actions',
    },
    place: (provider: string, region: string): string => `${provider} · ${region}`,
  },
  files: {
    caption: 'Training files',
    emptyTitle: 'No training files',
    empty: 'Upload a file with one JSON object per line with an API key: POST /v1/files.',
    columns: {
      name: 'File',
      examples: 'Examples',
      tokens: 'Tokens',
      used: 'Last used',
      expires: 'Expires',
    },
    never: 'Never',
  },
  job: {
    title: 'Fine-tuning job',
    what: 'fine-tuning job',
    facts: 'Details',
    id: 'Id',
    model: 'Base model',
    place: 'Provider',
    file: 'Training file',
    validation: 'Validation file',
    epochs: 'Epochs',
    batch: 'Batch size',
    rate: 'Learning rate multiplier',
    auto: 'Chosen by the provider',
    seed: 'Seed',
    result: 'Tuned model',
    why: 'Why it failed',
    failures,
    created: 'Created',
    finish: 'Estimated end',
    ended: 'Ended',
    cost: 'Cost',
    held: 'Held (maximum cost)',
    charged: 'Charged',
    trained: 'Trained tokens',
    unknown: 'Not known yet',
    tokens: (count: number): string => formatPlural(count, 'token'),
    price: 'Price',
    priceOf: (dollars: string): string => `${dollars} per million trained tokens`,
    open: 'Held credit is not charged yet. Failed jobs are free.',
    use: 'Try in playground',
  },
  losses: {
    title: 'Losses',
    none: 'None reported yet.',
    training: 'Training loss',
    validation: 'Validation loss',
    header: 'Step',
    step: (step: number): string => `Step ${formatCount(step)}`,
    loss: formatLoss,
    finding: (label: string, first: number, last: number, step: number): string => {
      const [from, to, by] = [formatLoss(first), formatLoss(last), formatCount(step)];
      if (last < first) return `${label} fell from ${from} to ${to} by step ${by}.`;
      if (last > first) return `${label} rose from ${from} to ${to} by step ${by}.`;
      return `${label} is ${to} at step ${by}.`;
    },
  },
  events: {
    title: 'Events',
    none: 'No events yet.',
    columns: { at: 'Time', level: 'Level', message: 'Message' },
    levels: { info: 'Info', warn: 'Warning', error: 'Error' },
  },
  cancel: {
    action: 'Cancel job',
    title: 'Cancel this job?',
    effect: 'The job ends once the provider confirms. Training so far is charged if the provider reports it.',
    done: 'Cancellation requested.',
    ended: 'The job has ended.',
  },
  remove: {
    open: 'Delete',
    title: 'Delete this model?',
    effect: 'Calls to this model fail (404), and it is deleted at the provider. This cannot be undone.',
    action: 'Delete model',
    done: 'Model deleted.',
  },
  form: {
    title: 'Create fine-tuning job',
    model: 'Model',
    noModel: 'Choose a model.',
    file: 'Training file',
    noFile: 'Choose a file.',
    validation: 'Validation file',
    validationHint: 'Optional. Used to measure progress.',
    epochs: 'Epochs',
    epochsHint: 'Leave empty for the default.',
    suffix: 'Suffix',
    suffixHint: 'Part of the model name. Up to 18 characters: a to z, 0 to 9, -.',
    fileNote: (lines: number, tokens: number): string =>
      `${formatPlural(lines, 'example')} · ${formatCount(tokens)} tokens`,
    held: 'The maximum cost is held in the wallet until the job ends.',
    submit: 'Create job',
    created: 'Job created.',
  },
} as const;
