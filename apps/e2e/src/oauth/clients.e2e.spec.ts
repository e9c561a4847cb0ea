import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { clientFlows } from './client-flows';
import { MemberBrowser } from './member-browser';
import { callApi, registerApp } from './oauth-app';

describe('a client library completes the flow, refreshes, and calls the API:', () => {
  let svc: SharedSvc;
  let member: MemberBrowser;
  beforeAll(async () => {
    svc = await sharedSvc();
    member = await MemberBrowser.loggedIn(svc);
  });

  it.each(clientFlows.map((flow) => [flow.name, flow] as const))('%s', async (_, flow) => {
    const app = await registerApp(svc, flow.appType);
    const { baseUrl } = svc;
    const { first, refreshed } = await flow.run({ baseUrl, app, consent: (url) => member.consent(url) });
    expect(refreshed).not.toEqual(first);
    for (const { access } of [first, refreshed]) {
      expect((await callApi(baseUrl, 'GET', '/api/v1/oauth/userinfo', access)).body).toEqual({
        sub: expect.stringMatching(/^usr_/),
        organization_id: svc.organizationId,
        azp: app.clientId,
        email: svc.ready.owner_email,
        email_verified: false,
      });
    }
  });
});
