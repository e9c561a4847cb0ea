import { createHash, timingSafeEqual } from 'node:crypto';
import { GatewayError } from '@svc/kernel';
import { type FastifyInstance } from 'fastify';
import { type Registry } from 'prom-client';

/** A dependency without which the service cannot work. `check` rejects when it does not answer. */
export interface Dependency {
  readonly name: string;
  check(): Promise<unknown>;
}

interface HealthOptions {
  readonly isStopping?: () => boolean;
  /** The bearer token that `/metrics` needs. Absent: none, where only the operator's network reaches the port. */
  readonly metricsToken?: string;
}

const CHECK_TIMEOUT_MS = 2_000;

/**
 * `GET /healthz` (alive), `GET /readyz` (503 names the dependency that fails, or says that the service is about to stop),
 * `GET /metrics` (docs/configuration.md#health).
 */
export function mountHealth(
  server: FastifyInstance,
  dependencies: readonly Dependency[],
  metrics: Registry,
  { isStopping = () => false, metricsToken }: HealthOptions = {},
): void {
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', async (_, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    const failing = await failingDependencies(dependencies);
    if (failing.length === 0) return { status: 'ready' };
    return reply.code(503).send({ status: 'unavailable', failing });
  });
  server.get('/metrics', async ({ headers }, reply) => {
    if (metricsToken !== undefined) requireToken(headers.authorization, metricsToken);
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });
}

/** @throws GatewayError `invalidApiKey`. */
function requireToken(authorization: string | undefined, metricsToken: string): void {
  const shown = /^bearer +(.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  if (timingSafeEqual(sha256(shown), sha256(metricsToken))) return;
  throw new GatewayError('invalidApiKey', 'The token of the metrics is missing or not valid.');
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

async function failingDependencies(dependencies: readonly Dependency[]): Promise<string[]> {
  const answers = await Promise.all(
    dependencies.map(async (dependency) => ((await answersInTime(dependency)) ? [] : [dependency.name])),
  );
  return answers.flat();
}

async function answersInTime(dependency: Dependency): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, CHECK_TIMEOUT_MS, false);
  });
  const answered = Promise.resolve()
    .then(() => dependency.check())
    .then(
      () => true,
      () => false,
    );
  return Promise.race([answered, late]).finally(() => {
    clearTimeout(timer);
  });
}
