import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quietly } from '../steps.mjs';
import { installPackages, isOnPath } from './programs.mjs';

/** Options for a small heap and a fast start, not for speed under load. */
export const JAVA_OPTIONS = ['-Xms64m', '-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/**
 * Installs the files of a program in Java from Maven Central, or from the repository of SVC_MAVEN_REPOSITORY. Only once.
 * @param name the folder beside this file with its pom.xml and jars.sha256.
 * @returns the folder of its jars.
 */
export async function installJars(name, title, cacheFolder) {
  const fileOf = (file) => fileURLToPath(new URL(`${name}/${file}`, import.meta.url));
  const sums = readFileSync(fileOf('jars.sha256'), 'utf8');
  const jars = join(cacheFolder, `${name}-${createHash('sha256').update(sums).digest('hex').slice(0, 12)}`);
  const isInstalled = existsSync(jars);
  const programs = { java: 'default-jre-headless', ...(isInstalled ? {} : { mvn: 'maven' }) };
  await installPackages(
    Object.entries(programs)
      .filter(([program]) => !isOnPath(program))
      .map(([, packageName]) => packageName),
  );
  if (!isInstalled) await download(title, fileOf('pom.xml'), sums, jars);
  return jars;
}

async function download(title, pom, sums, jars) {
  const draft = `${jars}.draft`;
  rmSync(draft, { recursive: true, force: true });
  const repository = process.env.SVC_MAVEN_REPOSITORY;
  await quietly(`downloading ${title}`, 'mvn', [
    ...['--batch-mode', '--quiet', '--file', pom],
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
