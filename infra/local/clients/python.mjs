import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orEnd, toolStep } from '../steps.mjs';
import { root } from '../workspace.mjs';
import { cached } from './cache.mjs';

const UV = 'uv==0.13.9';
const COMMANDS = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
const LEAST_MINOR = 10;

/**
 * Installs the clients of requirements.txt in a virtual environment.
 * @returns the path of its Python.
 */
export const installPythonClients = () => orEnd(installPython('python-clients', 'requirements.txt'));

/**
 * Installs the protobuf schema of OTLP in a virtual environment.
 * @returns the path of its Python.
 */
export const installOtlpSchema = () => orEnd(installPython('otlp-schema', 'otlp-requirements.txt'));

/**
 * Installs Schemathesis in a virtual environment.
 * @returns the path of its program.
 */
export const installFuzzer = async () =>
  join(dirname(await orEnd(installPython('fuzzer', 'fuzzer-requirements.txt', 11))), 'schemathesis');

/**
 * Installs LiteLLM with its proxy in a virtual environment.
 * @returns the path of its program.
 * @throws Error where it cannot be installed.
 */
export const installLiteLlm = async () =>
  join(dirname(await installPython('litellm', 'litellm-requirements.txt')), 'litellm');

/** @param leastMinor 11 for Python 3.11 or later. @throws Error where this machine has none, or a package is not to be had. */
async function installPython(name, file, leastMinor = LEAST_MINOR) {
  const requirements = join(root, 'infra/local/clients', file);
  const folder = await cached(name, requirements, async (environment) => {
    const python = join(environment, 'bin', 'python');
    const uv = join(environment, 'bin', 'uv');
    if (!existsSync(uv)) {
      const venv = ['-m', 'venv', '--clear', environment];
      await toolStep('making a virtual environment', systemPython(leastMinor), venv);
      await toolStep('installing uv', python, ['-m', 'pip', 'install', '--quiet', UV]);
    }
    const args = ['--quiet', '--compile-bytecode', '--python', python, '--requirement', requirements];
    await toolStep(`installing ${name}`, uv, ['pip', 'install', ...args]);
  });
  return join(folder, 'bin', 'python');
}

/** @returns a command of this machine for such a Python, with its module venv; undefined where it has none. */
export function findPython(leastMinor = LEAST_MINOR) {
  const isNewEnough = `import sys, venv; sys.exit(sys.version_info < (3, ${leastMinor}))`;
  return COMMANDS.find((command) => spawnSync(command, ['-c', isNewEnough]).status === 0);
}

function systemPython(leastMinor) {
  const found = findPython(leastMinor);
  if (found !== undefined) return found;
  throw new Error(
    `Python 3.${leastMinor} or later with its module venv is needed, as 'python3' (Debian: apt-get install python3-venv).`,
  );
}
