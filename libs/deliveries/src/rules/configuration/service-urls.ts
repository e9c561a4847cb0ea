/** https://developer.pagerduty.com/docs/events-api-v2-overview */
export const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';

/** That of the default and that of accounts in the EU. */
export const PAGERDUTY_URLS: readonly string[] = [
  PAGERDUTY_URL,
  'https://events.eu.pagerduty.com/v2/enqueue',
];
