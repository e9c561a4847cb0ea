import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from './background.mjs';
import { installJars, JAVA_OPTIONS } from './java.mjs';

const OPTIONS = [...JAVA_OPTIONS, '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];

/** Any 16 bytes do. An id that begins with a dash would be read as an option. */
const CLUSTER_ID = Buffer.from('svc-local-kafka!').toString('base64url');

let jars;

export const kafka = {
  name: 'kafka',
  portCount: 2,
  stopSignal: 'SIGTERM',
  killSignal: 'SIGKILL',

  async install(cacheFolder) {
    jars = await installJars('kafka', 'Kafka', cacheFolder);
  },

  prepare(folder, [port, controllerPort]) {
    const data = join(folder, 'data');
    mkdirSync(data, { recursive: true });
    const properties = join(folder, 'server.properties');
    writeFileSync(properties, propertiesText({ data, port, controllerPort }));
    if (!existsSync(join(data, 'meta.properties'))) {
      const args = ['kafka.tools.StorageTool', 'format', '--cluster-id', CLUSTER_ID, '--config', properties];
      execFileSync('java', [...OPTIONS, '-cp', join(jars, '*'), ...args], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    }
    return { program: 'java', args: [...OPTIONS, '-cp', join(jars, '*'), 'kafka.Kafka', properties] };
  },

  /** The broker listens only once it serves. */
  isReady: (_folder, [port]) => answers(port),
  variables: ([port]) => ({ SVC_KAFKA_BROKERS: `127.0.0.1:${port}` }),
};

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
