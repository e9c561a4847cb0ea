import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quietly } from '../steps.mjs';
import { answers } from './background.mjs';
import { installPackages, isOnPath } from './programs.mjs';

const POM = fileURLToPath(new URL('kafka/pom.xml', import.meta.url));
const SUMS = fileURLToPath(new URL('kafka/jars.sha256', import.meta.url));
/** Options for a small heap and a fast start, not for speed under load. */
const JAVA_OPTIONS = [
  '-Xms64m',
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
];

/** Any 16 bytes do. An id that begins with a dash would be read as an option. */
const CLUSTER_ID = Buffer.from('svc-local-kafka!').toString('base64url');

let jars;

export const kafka = {
  name: 'kafka',
  portCount: 2,
  stopSignal: 'SIGTERM',
  killSignal: 'SIGKILL',

  /** The broker's files come from Maven Central, or from the repository of SVC_MAVEN_REPOSITORY. Only once. */
  async install(cacheFolder) {
    const sums = readFileSync(SUMS, 'utf8');
    jars = join(cacheFolder, `kafka-${createHash('sha256').update(sums).digest('hex').slice(0, 12)}`);
    const isInstalled = existsSync(jars);
    const programs = { java: 'default-jre-headless', ...(isInstalled ? {} : { mvn: 'maven' }) };
    await installPackages(
      Object.entries(programs)
        .filter(([program]) => !isOnPath(program))
        .map(([, name]) => name),
    );
    if (!isInstalled) await download(sums);
  },

  prepare(folder, [port, controllerPort]) {
    const data = join(folder, 'data');
    mkdirSync(data, { recursive: true });
    const properties = join(folder, 'server.properties');
    writeFileSync(properties, propertiesText({ data, port, controllerPort }));
    if (!existsSync(join(data, 'meta.properties'))) {
      const args = ['kafka.tools.StorageTool', 'format', '--cluster-id', CLUSTER_ID, '--config', properties];
      execFileSync('java', [...JAVA_OPTIONS, '-cp', join(jars, '*'), ...args], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    }
    return { program: 'java', args: [...JAVA_OPTIONS, '-cp', join(jars, '*'), 'kafka.Kafka', properties] };
  },

  /** The broker listens only once it serves. */
  isReady: (_folder, [port]) => answers(port),
  variables: ([port]) => ({ SVC_KAFKA_BROKERS: `127.0.0.1:${port}` }),
};

async function download(sums) {
  const draft = `${jars}.draft`;
  rmSync(draft, { recursive: true, force: true });
  const repository = process.env.SVC_MAVEN_REPOSITORY;
  await quietly('downloading Kafka', 'mvn', [
    ...['--batch-mode', '--quiet', '--file', POM],
    ...['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${draft}`],
    ...(repository ? [`-Drepository=${repository}`] : []),
  ]);
  for (const [, sum, name] of sums.matchAll(/^(\w+) {2}(.+)$/gm)) {
    const actual = createHash('sha256')
      .update(readFileSync(join(draft, name)))
      .digest('hex');
    if (actual !== sum) throw new Error(`${name} is not the file that jars.sha256 names: ${actual}`);
  }
  renameSync(draft, jars);
}

/** One node is both broker and controller. */
const propertiesText = ({ data, port, controllerPort }) =>
  Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': data,
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
  })
    .map((entry) => `${entry.join('=')}\n`)
    .join('');
