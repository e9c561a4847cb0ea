/** `slack` is for Mattermost too. */
export const messageKinds = ['slack', 'discord', 'teams', 'pagerduty', 'email'] as const;
export const integrationKinds = [...messageKinds, 'otlp'] as const;

export type MessageKind = (typeof messageKinds)[number];
export type IntegrationKind = (typeof integrationKinds)[number];

export const isMessageKind = (kind: IntegrationKind): kind is MessageKind => kind !== 'otlp';
