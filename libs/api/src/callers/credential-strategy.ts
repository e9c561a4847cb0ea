import { type IncomingMessage } from 'node:http';
import passport from 'passport';
import { credentialIn, type Credential } from '../credential';
import { type CallerIdentity } from './identity';

type Kind = Credential['kind'];
type Shown<K extends Kind> = Extract<Credential, { kind: K }>;

/**
 * A passport strategy for one kind of credential: it leaves other kinds to other strategies, and its decision on its
 * own kind is final.
 */
export class CredentialStrategy<K extends Kind> extends passport.Strategy {
  constructor(
    override readonly name: K,
    private readonly identify: (credential: Shown<K>, http: IncomingMessage) => Promise<CallerIdentity>,
  ) {
    super();
  }

  override authenticate(http: IncomingMessage): void {
    const credential = credentialIn(http.headers);
    if (credential?.kind !== this.name) {
      this.fail(401);
      return;
    }
    this.identify(credential as Shown<K>, http).then(
      (identity) => {
        this.success(identity);
      },
      (error: unknown) => {
        this.error(error);
      },
    );
  }
}
