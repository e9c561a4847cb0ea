import { type ObjectStore } from './object-store';
import { describeStore } from './object-store.contract';
import { openObjectStore } from './open-object-store';
import { settingsOf } from './testing/settings-of';

/** The variables of the server that the set-up of the fault tier has started. */
const server = JSON.parse(process.env['SVC_TEST_STORAGE'] ?? '{}') as Record<string, string>;
let store: ObjectStore;
beforeAll(async () => {
  store = await openObjectStore(settingsOf(server));
});

describeStore('a server of S3', { opened: () => store });

describe('a server of S3 that checks signatures', () => {
  const refused = { failure: 'refused' };

  it('refuses a wrong secret, a login that it does not know, and a bucket that does not exist', async () => {
    for (const wrong of [
      { SVC_STORAGE_SECRET_ACCESS_KEY: 'wrong' },
      { SVC_STORAGE_ACCESS_KEY_ID: 'nobody' },
      { SVC_STORAGE_URL: 's3://nowhere' },
    ]) {
      const store = await openObjectStore(settingsOf({ ...server, ...wrong }));
      await expect(store.begin('key')).rejects.toMatchObject(refused);
    }
  });
});
