import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from './background.mjs';
import { installJars, JAVA_OPTIONS } from './java.mjs';

const BUCKET = 'objects';
const LOGIN = { id: 'svc-test', secret: 'svc-test-secret' };

let jars;

/** S3Proxy: S3 over a folder. It checks each signature, and keeps uploads of parts as S3 does. */
export const s3 = {
  name: 's3',
  portCount: 1,
  stopSignal: 'SIGTERM',
  killSignal: 'SIGKILL',

  async install(cacheFolder) {
    jars = await installJars('s3', 'S3Proxy', cacheFolder);
  },

  prepare(folder, [port]) {
    const data = join(folder, 'data');
    mkdirSync(join(data, BUCKET), { recursive: true });
    const [properties, logging] = [join(folder, 's3proxy.conf'), join(folder, 'logback.xml')];
    writeFileSync(properties, propertiesText({ data, port }));
    writeFileSync(logging, '<configuration><root level="WARN"/></configuration>\n');
    const options = [...JAVA_OPTIONS, `-Dlogback.configurationFile=${logging}`, '-cp', join(jars, '*')];
    return { program: 'java', args: [...options, 'org.gaul.s3proxy.Main', '--properties', properties] };
  },

  isReady: (_folder, [port]) => answers(port),
  variables: ([port]) => ({
    SVC_STORAGE_URL: `s3://${BUCKET}/svc`,
    SVC_STORAGE_ENDPOINT: `http://127.0.0.1:${port}`,
    SVC_STORAGE_ACCESS_KEY_ID: LOGIN.id,
    SVC_STORAGE_SECRET_ACCESS_KEY: LOGIN.secret,
    SVC_STORAGE_PATH_STYLE: 'true',
  }),
};

const propertiesText = ({ data, port }) =>
  Object.entries({
    's3proxy.endpoint': `http://127.0.0.1:${port}`,
    's3proxy.authorization': 'aws-v4',
    's3proxy.identity': LOGIN.id,
    's3proxy.credential': LOGIN.secret,
    'jclouds.provider': 'filesystem-nio2',
    'jclouds.filesystem.basedir': data,
    // The folder asks for a login, and takes any.
    'jclouds.identity': 'folder',
    'jclouds.credential': 'folder',
  })
    .map((entry) => `${entry.join('=')}\n`)
    .join('');
