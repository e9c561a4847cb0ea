// One line per promise and run, as CSV (RFC 4180).
import { boundOf } from './table.mjs';

export const HISTORY_HEADER = 'at,commit,scenario,promise,value,bound,kept\n';

export const historyOf = ({ at, versions, scenarios }) =>
  scenarios
    .flatMap(({ name, promises }) =>
      promises.map(({ promise, value, kept, ...bounds }) =>
        [at, versions.commit, name, promise, value.toFixed(2), boundOf(bounds), kept].map(cell).join(','),
      ),
    )
    .map((line) => `${line}\n`)
    .join('');

const cell = (value) => {
  const text = String(value ?? '');
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
