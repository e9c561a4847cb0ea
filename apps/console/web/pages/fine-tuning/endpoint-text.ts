import { formatCount, formatPlural } from '../../format/numbers';
import { type TunedEndpoint } from './endpoint';

const states: Readonly<Record<TunedEndpoint['state'], string>> = {
  stopped: 'Stopped',
  starting: 'Starting',
  running: 'Running',
  stopping: 'Stopping',
  failed: 'Failed to start',
};

const reasons: Readonly<Record<NonNullable<TunedEndpoint['stop_reason']>, string>> = {
  user: 'Somebody stopped it.',
  idle: 'No call used its model for as long as it may be idle.',
  max_hours: 'It ran for as long as a run may.',
  budget: 'A budget, or the most that a run may cost, was used up.',
  wallet_empty: 'The wallet could not hold the next part of its time.',
  start_failed: 'The provider did not come to serve it. Nothing was charged.',
  provider_error: 'The provider lost it, or stopped it.',
  model_deleted: 'Its model was deleted.',
  organization_suspended: 'The organization was suspended.',
  operator: 'The provider, or this hardware, is no longer offered.',
};

const duration = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${String(seconds)} s`;
  if (minutes < 60) return `${String(minutes)} min ${String(seconds % 60)} s`;
  return `${formatCount(Math.floor(minutes / 60))} h ${String(minutes % 60)} min`;
};

export const endpointText = {
  states,
  reasons,
  title: 'Endpoint',
  what: 'endpoint',
  list: {
    caption: 'Endpoints',
    create: 'Create endpoint',
    emptyTitle: 'No endpoints',
    empty: 'An endpoint is machines that serve one tuned model. It costs by the second, only while it runs.',
    columns: {
      model: 'Model',
      state: 'State',
      why: 'Why it stopped',
      pace: 'Costs',
      charged: 'Charged in all',
    },
    aMinute: 'a minute',
    nothing: 'Nothing now',
  },
  facts: {
    title: 'Facts',
    id: 'Id',
    model: 'Serves',
    use: 'Try it in the playground',
    hardware: 'Hardware',
    idle: 'Stops without calls after',
    minutes: (count: number): string => formatPlural(count, 'minute'),
    hours: 'Longest run',
    hoursOf: (count: number): string => `${String(count)} h`,
    spend: 'A run costs at most',
    noSpend: 'No limit of its own',
    why: 'Why it stopped',
    used: 'Last call',
    never: 'Never',
    created: 'Created',
  },
  cost: {
    title: 'Cost',
    pace: 'Price',
    aMinute: 'a minute',
    anHour: 'an hour',
    notOffered: 'This hardware is not offered.',
    since: 'Serves since',
    stops: 'Stops, if no call comes',
    ran: 'Ran',
    duration,
    soFar: 'This run so far',
    settled: 'Settled of it',
    lastRun: 'The last run',
    total: 'All runs',
    paid: 'Time is paid ahead in small parts. What a part holds and does not use comes back.',
  },
  start: {
    open: 'Start',
    title: 'Start this endpoint?',
    effectAt: (anHour: string): string =>
      `It costs ${anHour} an hour from when the provider serves it until it stops. Calls of its model cost nothing then.`,
    action: 'Start endpoint',
    done: 'The endpoint starts.',
  },
  stop: {
    open: 'Stop',
    title: 'Stop this endpoint?',
    effect:
      'No new call is sent to it, and its time is not charged any more. Calls that run have 60 seconds to end.',
    action: 'Stop endpoint',
    done: 'The endpoint stops.',
    ending: 'It is stopping.',
  },
  change: {
    action: 'Change limits',
    title: 'Change when it stops',
    submit: 'Save',
    done: 'Limits saved.',
  },
  remove: {
    open: 'Delete',
    title: 'Delete this endpoint?',
    effect: 'Its model stays, and can have another one. What it cost stays in the wallet and in usage.',
    action: 'Delete endpoint',
    done: 'Endpoint deleted.',
    up: 'Stop it first.',
  },
  form: {
    title: 'Create endpoint',
    model: 'Model',
    modelHint: 'A model has one endpoint.',
    noModel: 'Choose a model.',
    hardware: 'Hardware',
    noHardware: 'Choose hardware.',
    anHour: (dollars: string): string => `${dollars} an hour`,
    idle: 'Minutes without a call',
    idleHint: 'It stops after so many, 1 to 1,440.',
    noIdle: 'Write how many minutes, 1 to 1,440.',
    hours: 'Longest run in hours',
    hoursHint: 'Up to 720, with two decimals at most.',
    noHours: 'Write hours, for example 24 or 0.5.',
    spend: 'A run costs at most',
    spendHint: 'Empty: no limit of its own. Budgets and the wallet still limit it.',
    noSpend: 'Write an amount above zero, or leave it empty.',
    free: 'It is stopped, and costs nothing until it is started.',
    submit: 'Create endpoint',
    created: 'Endpoint created.',
  },
} as const;
