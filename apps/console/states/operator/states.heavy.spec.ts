import { describeStates } from '../page-states';
import { describePages } from '../stubbed-console';
import {
  application,
  INCIDENT,
  inReview,
  listOf,
  oneOf,
  ORGANIZATION,
  PLATFORM,
  rowOf,
  waiting,
} from './operator-examples';

describePages('the operator’s page of organizations', () => {
  describeStates({
    application,
    path: '/',
    reads: `GET ${PLATFORM}/organizations`,
    heading: 'Organizations',
    shown: (page) => page.getByRole('table', { name: 'Organizations' }).waitFor(),
    overlays: [
      (page) => page.getByRole('button', { name: 'Create organization' }).click(),
      (page) => page.getByRole('button', { name: 'Reset a password' }).click(),
    ],
  });
});

describePages('the operator’s page of one organization', () => {
  describeStates({
    application,
    path: `/organizations/${ORGANIZATION}`,
    reads: `GET ${PLATFORM}/organizations/${ORGANIZATION}`,
    heading: /.+/,
    shown: (page) => page.getByRole('heading', { name: 'Limits' }).waitFor(),
    gone: 'This organization was not found',
    overlays: [
      (page) => page.getByRole('button', { name: 'Grant credit' }).click(),
      (page) => page.getByRole('button', { name: 'Edit limits' }).click(),
      (page) => page.getByRole('button', { name: 'Suspend' }).click(),
      (page) => page.getByRole('button', { name: 'Appoint an owner' }).click(),
      (page) => page.getByRole('button', { name: 'Disable an approval policy' }).click(),
    ],
  });
});

describePages('the operator’s page of payments', () => {
  describeStates({
    application,
    path: '/payments',
    reads: `GET ${PLATFORM}/payments`,
    heading: 'Payments',
    shown: (page) => page.getByRole('table', { name: 'Payments' }).waitFor(),
    answers: { [`GET ${PLATFORM}/payments`]: listOf([inReview(), { ...rowOf('/payments'), id: 'pay_2' }]) },
    overlays: [
      (page) => page.getByRole('button', { name: 'Accept' }).click(),
      (page) => page.getByRole('button', { name: 'Dismiss' }).click(),
      (page) => page.getByRole('button', { name: 'Refund' }).click(),
    ],
  });
});

describePages('the operator’s page of incidents', () => {
  describeStates({
    application,
    path: '/incidents',
    reads: `GET ${PLATFORM}/incidents`,
    heading: 'Incidents',
    shown: (page) => page.getByRole('table', { name: 'Incidents' }).waitFor(),
    overlays: [(page) => page.getByRole('button', { name: 'Declare incident' }).click()],
  });
});

describePages('the operator’s page of one incident', () => {
  describeStates({
    application,
    path: `/incidents/${INCIDENT}`,
    reads: `GET ${PLATFORM}/incidents/${INCIDENT}`,
    heading: /.+/,
    shown: (page) => page.getByRole('heading', { name: 'Updates' }).waitFor(),
    gone: 'This incident was not found',
    answers: {
      [`GET ${PLATFORM}/incidents/${INCIDENT}`]: {
        body: {
          ...oneOf(`/incidents/${INCIDENT}`),
          state: 'monitoring',
          source: 'automatic',
          managed: false,
        },
      },
    },
    overlays: [
      (page) => page.getByRole('button', { name: 'Post update' }).click(),
      (page) => page.getByRole('button', { name: 'Resolve', exact: true }).click(),
      (page) => page.getByRole('button', { name: 'Rename' }).click(),
    ],
  });
});

describePages('the operator’s page of parked messages', () => {
  describeStates({
    application,
    path: '/parked-messages',
    reads: `GET ${PLATFORM}/parked-messages`,
    heading: 'Parked messages',
    shown: (page) => page.getByRole('table', { name: 'Parked messages' }).waitFor(),
    answers: { [`GET ${PLATFORM}/parked-messages`]: listOf([waiting()]) },
    overlays: [
      (page) => page.getByRole('button', { name: 'Send again' }).click(),
      (page) => page.getByRole('button', { name: 'Discard' }).click(),
    ],
  });
});

describePages('the operator’s page of health', () => {
  describeStates({
    application,
    path: '/health',
    reads: `GET ${PLATFORM}/health`,
    heading: 'Health',
    shown: (page) => page.getByRole('table', { name: 'Queues' }).waitFor(),
  });
});
