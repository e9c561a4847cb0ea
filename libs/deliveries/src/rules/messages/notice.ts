import { type JsonValue } from '@svc/kernel';

/**
 * Something that integrations are told: an event of the catalogue, or `alert.resolved` and `alert.test`, of which there is
 * no event.
 */
export interface IntegrationNotice {
  readonly id: string;
  readonly type: string;
  /** ISO 8601 */
  readonly createdAt: string;
  readonly data: Readonly<Record<string, JsonValue>>;
}
