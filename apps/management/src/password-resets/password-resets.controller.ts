import { Inject } from '@nestjs/common';
import { Create, OperatorResource, type Call } from '@svc/api';
import { GatewayError, type Clock } from '@svc/kernel';
import { OperatorPasswordReset } from '@svc/access/store';
import { type Collection } from '../collection';
import { BASE_URL, CLOCK } from '../runtime';
import { newPasswordReset, passwordReset, presentPasswordReset } from './password-reset-schema';

@OperatorResource({
  path: 'password-resets',
  one: 'PasswordReset',
  many: 'PasswordResets',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
class PasswordResetsController {
  constructor(
    private readonly resets: OperatorPasswordReset,
    @Inject(BASE_URL) private readonly baseUrl: string,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  @Create('', {
    summary: 'Makes a link with which a user sets a new password.',
    description:
      'For a user who cannot log in. Pass the link on to them. It works once, within an hour, and takes the place of an ' +
      'earlier one. The password stays as it is until then.',
    permission: null,
    scope: null,
    body: newPasswordReset,
    answer: passwordReset,
    errors: ['notFound'],
  })
  async create({ caller, body: { email } }: Call<{ body: typeof newPasswordReset }>) {
    const { baseUrl } = this;
    const asked = { email, baseUrl, nowMs: this.clock.now(), requestId: caller.requestId };
    const issued = await this.resets.issue(asked);
    if (issued === null) throw new GatewayError('notFound', 'No user has this address.', { param: 'email' });
    return presentPasswordReset(issued);
  }
}

export const passwordResets: Collection = {
  controllers: [PasswordResetsController],
  services: [],
  stores: [OperatorPasswordReset],
};
