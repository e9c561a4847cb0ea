import { type DeliveryTables, integrationTables, webhookTables } from './delivery-tables';
import { type SqlValues } from './sql-template';

const tablesIn = ({ deliveries, lanes, receivers, receiverId }: DeliveryTables) => ({
  deliveries,
  lanes,
  receivers,
  receiver_id: receiverId,
});

/** Columns that a claim returns, where they differ, and how they are read. */
interface ClaimValues {
  readonly kind_declared: string;
  readonly kind_returned: string;
  readonly body_column: string;
  readonly body_returned: string;
  readonly events_joined: string;
  /** Columns of the receiver that a call is made of: as they are declared, read from `r` and returned from `p`. */
  readonly call_declared: string;
  readonly call_read: string;
  readonly call_returned: string;
}

const webhookClaim: ClaimValues = {
  kind_declared: '',
  kind_returned: '',
  body_column: 'payload',
  body_returned: 'e.payload',
  events_joined: ' JOIN webhook_events e ON e.id = p.event_id',
  call_declared: 'url text, secret_ciphertext bytea, previous_secret_ciphertext bytea',
  call_read: `r.url, r.secret_ciphertext,
        CASE WHEN r.previous_secret_expires_at > at THEN r.previous_secret_ciphertext END AS previous`,
  call_returned: 'p.url, p.secret_ciphertext, p.previous',
};

const integrationClaim: ClaimValues = {
  kind_declared: 'kind text, ',
  kind_returned: 'p.kind, ',
  body_column: 'body',
  body_returned: 'd.body',
  events_joined: '',
  call_declared: 'config jsonb, secret_ciphertext bytea',
  call_read: 'r.kind, r.config, r.secret_ciphertext',
  call_returned: 'p.config, p.secret_ciphertext',
};

/** For each sort of receivers, what the templates in `sql/deliveries` are filled in with: names of functions first. */
export const deliveryFunctions: readonly SqlValues[] = [
  {
    claim_deliveries: 'claim_deliveries',
    end_turns: 'end_turns',
    call_lanes_for_new: 'call_lanes_for_new',
    call_lanes_for_changed: 'call_lanes_for_changed',
    open_lane: 'open_lane',
    test_event: 'webhook.test',
    ...tablesIn(webhookTables),
    ...webhookClaim,
  },
  {
    claim_deliveries: 'claim_integration_deliveries',
    end_turns: 'end_integration_turns',
    call_lanes_for_new: 'call_integration_lanes_for_new',
    call_lanes_for_changed: 'call_integration_lanes_for_changed',
    open_lane: 'open_integration_lane',
    test_event: 'integration.test',
    ...tablesIn(integrationTables),
    ...integrationClaim,
  },
];
