/** Headings of the reference that several resources share. */
export const OAUTH = {
  tag: 'OAuth',
  description: 'Routes for apps that act with a member’s consent.',
} as const;

export const OAUTH_APPS = {
  tag: 'OAuth apps',
  description: 'Apps that act for members, and the grants that members gave them.',
} as const;
