import { defineEvent } from './define-event';
import { code, count, idOf, ipAddress, keyPrefix, listOf, name, object, oneOf, orNull } from './event-fields';

const apiKey = {
  api_key_id: idOf('apiKey'),
  name: name('production'),
  prefix: keyPrefix(),
  project_id: orNull(idOf('project')),
};

const credential = {
  credential_id: idOf('providerCredential'),
  provider: name('acme'),
  label: name('main account'),
  state: oneOf('active', 'disabled', 'revoked', 'compromised'),
};

const integration = {
  integration_id: idOf('integration'),
  kind: code('slack'),
  name: name('On-call channel'),
};

const approval = {
  approval_request_id: idOf('approvalRequest'),
  action: code('budget.update'),
  target_id: orNull(
    idOf(
      'budget',
      'apiKey',
      'policy',
      'providerCredential',
      'webhookEndpoint',
      'oauthApp',
      'member',
      'invitation',
      'project',
      'organization',
      'alertRule',
      'approvalPolicy',
      'integration',
      'fineTuningEndpoint',
    ),
  ),
  requested_by: idOf('user', 'apiKey'),
};

const rollout = {
  rollout_id: idOf('rollout'),
  name: name('small-at-acme'),
  model: name('acme/small'),
  /** Where its calls were moved: at least one of them. */
  to: object({}, { model: name('acme/large'), provider: name('acme'), region: name('eu-west') }),
  share_bps: count(500),
  reason: oneOf('error_rate', 'latency', 'user', 'ended'),
  /** The calls that it moved, and those of them that failed. */
  calls: count(412),
  failed: count(57),
};

/** Events of keys, credentials, policies and other resources that members administer. */
export const accountEvents = {
  'api_key.created': defineEvent('an API key was created', {
    ...apiKey,
    scopes: listOf(code('inference:invoke')),
  }),
  'api_key.revoked': defineEvent('an API key was revoked', apiKey),
  'api_key.address_refused': defineEvent(
    'a live API key was shown from an address that its policy does not allow; at most one an hour and key',
    {
      ...apiKey,
      /** Null: a proxy named the client by what is no address. */
      address: orNull(ipAddress()),
    },
  ),

  'credential.created': defineEvent('a provider credential was stored', credential),
  'credential.rotated': defineEvent('a provider credential got a new secret', credential),
  'credential.revoked': defineEvent('a provider credential was revoked permanently', credential),
  'credential.disabled': defineEvent('a provider credential was disabled', credential),
  'credential.enabled': defineEvent('a provider credential was enabled', credential),
  'credential.compromised': defineEvent('a provider credential was marked as compromised', credential),
  'credential.auth_failed': defineEvent('a provider refused a credential of the organization', {
    credential_id: credential.credential_id,
    provider: credential.provider,
    status: count(401),
  }),

  'policy.updated': defineEvent('the data or routing policy has a new version', {
    policy_id: idOf('policy'),
    version: count(7),
    level: oneOf('organization', 'project', 'key'),
    project_id: orNull(idOf('project')),
    api_key_id: orNull(idOf('apiKey')),
  }),

  'rollout.aborted': defineEvent('a rollout was aborted, because of its calls or by a person', rollout),
  'rollout.completed': defineEvent('a rollout was completed', rollout),

  'approval.requested': defineEvent('a change waits for approval', approval),
  'approval.decided': defineEvent('a change that waited for approval was decided', {
    ...approval,
    decision: oneOf('approved', 'rejected', 'expired', 'cancelled'),
    decided_by: orNull(idOf('user')),
  }),

  'integration.created': defineEvent('an integration was created', integration),
  'integration.deleted': defineEvent('an integration was deleted', integration),
  'integration.test': defineEvent('a test of an integration was requested', integration),
};
