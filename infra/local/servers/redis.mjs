import { mkdirSync } from 'node:fs';
import { answers } from './background.mjs';
import { installPackages, isOnPath } from './programs.mjs';

export const redis = {
  name: 'redis',
  portCount: 1,
  stopSignal: 'SIGTERM',
  killSignal: 'SIGKILL',

  install: () => installPackages(isOnPath('redis-server') ? [] : ['redis-server']),

  prepare(folder, [port]) {
    mkdirSync(folder, { recursive: true });
    const options = {
      port,
      dir: folder,
      bind: '127.0.0.1',
      save: '',
      appendonly: 'no',
      'maxmemory-policy': 'noeviction',
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    return { program: 'redis-server', args };
  },

  isReady: (_folder, [port]) => answers(port),
  variables: ([port]) => ({ SVC_REDIS_URL: `redis://127.0.0.1:${port}` }),
};
