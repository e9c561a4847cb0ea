import { List, OperatorResource } from '@svc/api';
import { CredentialReportStore } from '@svc/policy/store';
import { type Collection } from '../collection';
import { platformCredential, presentPlatformCredential } from './platform-credential-schema';
import { PlatformCredentials } from './platform-credentials';

@OperatorResource({
  path: 'provider-credentials',
  one: 'PlatformProviderCredential',
  many: 'PlatformProviderCredentials',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
class PlatformCredentialsController {
  constructor(private readonly credentials: PlatformCredentials) {}

  @List('', {
    summary: 'The platform’s provider credentials, in the order of the catalog, with their health.',
    permission: null,
    scope: null,
    cursor: null,
    item: platformCredential,
  })
  async list() {
    const items = await this.credentials.list();
    return { items: items.map(presentPlatformCredential), hasMore: false };
  }
}

export const platformCredentials: Collection = {
  controllers: [PlatformCredentialsController],
  services: [PlatformCredentials],
  stores: [CredentialReportStore],
};
