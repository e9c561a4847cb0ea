import { CREDENTIALS, PRICES } from './catalog.mjs';
import { RECIPE } from './conversations.mjs';

export const percent = (value) => `${(value * 100).toFixed(1)} %`;
export const dollars = (value) => `$${value.toFixed(2)}`;

/** @returns lines of Markdown. */
export function tableOf(rows) {
  const line = ({ label, cachedShare, dollars: paid, beside }) =>
    `| ${label} | ${percent(cachedShare)} | ${dollars(paid)} | ${beside.toFixed(2)} |`;
  return [
    '| | Prompt tokens from the cache | A session | Beside one account |',
    '| --- | ---: | ---: | ---: |',
    ...rows.map(line),
  ].join('\n');
}

/** The whole report as Markdown. */
export function pageOf({ at, sessions, turns, rows, machine, versions }) {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version ?? 'unknown'}`);
  const [input, cached, output] = [PRICES.input, PRICES.cached_input, PRICES.output].map(
    (nanos) => `$${(nanos / 1000).toFixed(2)}`,
  );
  return `# Prompt caches with several accounts

Written by \`npm run bench:scale -- affinity\`, which installs what it compares Svc with. Taken on ${at.slice(0, 16).replace('T', ' ')} UTC.

![Prompt tokens from the cache, and dollars a session](affinity.svg)

${tableOf(rows)}

- ${named.join(', ')}
- ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.system}

## Recipe

A provider keeps prompt caches by account. Each candidate has ${CREDENTIALS} accounts of its own at the simulator, whose prompt cache is as a provider's: an account reads from the cache what it
was sent before. Only the first row has one account, and calls it directly: no pool can do better.

- Each candidate has ${sessions} conversations of ${turns} turns, one candidate after another. ${RECIPE}
- Cached tokens are those that the answers report. A session is what they come to at the prices of \`openai/gpt-5.5\`: ${input} for a million prompt tokens, ${cached} from the cache, ${output}
  for output.
- **Svc** is the edge over PostgreSQL and Redis, every setting at its default, with the accounts as the platform's [pool](../credential-pools.md). With \`affinity: off\` it is the same process, and another
  organization's policy.
- **LiteLLM** has a deployment for each account and \`routing_strategy: simple-shuffle\`, its default. It can keep a session with a deployment, by \`optional_pre_call_checks: [session_affinity]\`, where the caller
  names the session: that row's calls do so by \`x-litellm-session-id\`.
- **Portkey** has a target for each account and the strategy \`loadbalance\`, with equal weights.
- It is the tokens that are compared, not the speed: nothing is pinned to a core.
`;
}
