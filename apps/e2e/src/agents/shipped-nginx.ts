import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, freePort } from '@svc/testing';
import { exitOf, outputOf, spawnInstalled, workspaceRoot } from '../harness/app-process';
import { nginxOfThisRun } from '../harness/config';
import { temporaryFolder } from '../harness/temporary-folder';

const TEMPLATE = join(workspaceRoot, 'infra/k8s/base/proxy/svc.conf.template');
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

export interface ShippedNginx {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts nginx with the configuration of docker-compose.yml and of Kubernetes, before the one process of all services. */
export async function startShippedNginx(serviceUrl: string): Promise<ShippedNginx> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'temporary'));
  const port = await freePort();
  await writeFile(join(folder, 'nginx.conf'), MAIN);
  await writeFile(join(folder, 'svc.conf'), addressed(await readFile(TEMPLATE, 'utf8'), port, serviceUrl));
  const args = ['-p', `${folder}/`, '-c', 'nginx.conf', '-e', 'stderr'];
  const child = spawnInstalled(nginxOfThisRun ?? 'nginx', args, {}, folder);
  const printed = outputOf(child);
  const url = `http://127.0.0.1:${String(port)}`;
  await eventually(async () => {
    const isUp = await fetch(`${url}/proxyz`).then(
      ({ status }) => status === 204,
      () => false,
    );
    if (!isUp) throw new Error(`nginx is not up. It printed:\n${printed.text}`);
  });
  return { url, stop: async () => void (await exitOf(child, 'SIGTERM')) };
}

/** The configuration that the image puts around ours, in one process that needs no folder of the system. */
const MAIN = `daemon off;
master_process off;
pid nginx.pid;
events {}
http {
${TEMPORARY.map((name) => `  ${name}_temp_path temporary/${name};`).join('\n')}
  include svc.conf;
}
`;

/** The template with addresses of this machine: its names are those of a network of containers. Nothing else changes. */
function addressed(template: string, port: number, serviceUrl: string): string {
  const { host } = new URL(serviceUrl);
  const changes: readonly (readonly [RegExp, string])[] = [
    [/^resolver .*$/gm, ''],
    [/^( *server )\w+\$\{SERVICE_DOMAIN\}:8080 resolve;$/gm, `$1${host};`],
    [/^( *listen )8080;$/gm, `$1127.0.0.1:${String(port)};`],
    [/^ *listen \[::\]:8080;$/gm, ''],
    // Its standard error is a socket here, which has no path.
    [/^( *error_log )\/dev\/stderr /gm, '$1stderr '],
  ];
  return changes.reduce((text, [line, replacement]) => {
    if (!line.test(text)) throw new Error(`The template has no line ${String(line)}.`);
    return text.replaceAll(line, replacement);
  }, template);
}
