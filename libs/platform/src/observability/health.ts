import { type FastifyInstance } from 'fastify';
import { type Registry } from 'prom-client';

/** A dependency without which the service cannot work. `check` rejects when it does not answer. */
export interface Dependency {
  readonly name: string;
  check(): Promise<unknown>;
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
  isStopping: () => boolean = () => false,
): void {
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', async (_, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' });
    const failing = await failingDependencies(dependencies);
    if (failing.length === 0) return { status: 'ready' };
    return reply.code(503).send({ status: 'unavailable', failing });
  });
  server.get('/metrics', async (_, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
}

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
