import { step } from '../../local/steps.mjs';
import { say } from '../../local/workspace.mjs';
import { hasGo } from '../programs.mjs';
import { expectScaling } from './autoscaling.mjs';
import { expectBooksHold } from './books.mjs';
import { compareConnections, openWide } from './connections.mjs';
import { expectAlertsCanBeAsked, expectDashboard } from './dashboard.mjs';
import { drainNode, killEachOfTwo, rollService, runTwo, SERVICES } from './disturbances.mjs';
import { expectServedByIngress } from './ingress.mjs';
import { applyAgain, firstKey, installDev, untilRolledOut } from './installed-dev.mjs';
import { eventually, kubectl, NAMESPACE } from './kubectl.mjs';
import { expectTold, firstCall, startLoad, startWebhooks } from './load.mjs';
import { startMonitoring } from './monitoring.mjs';
import { upgradeOftenFrom } from './versions.mjs';
import { startVisitors } from './visitors.mjs';

/** A plug-in learns of a new pod within seconds. */
const POLICIES_MS = 60_000;
/** Longer than the pauses between the first tries of a delivery. */
const WEBHOOKS_MS = 120_000;
/** A figure is read every 5 s, and a rate wants two. */
const FIGURES_MS = 120_000;
/** Which part of the calls a small node may be too slow for, while pods start on it. */
const BUSY_MAX = 0.01;

/**
 * What docs/deploy.md says of Kubernetes, by its own commands, on the cluster that `kubectl` reaches: the overlay `dev`. Then
 * every connection, a first call, and rolling and killed pods under load.
 * @param isInstalled it takes the installation that is there, and leaves it.
 * @param otherTag that of the images of the version before, which it then upgrades from, and goes back to.
 * @returns whether all of it is right.
 */
export async function testCluster({ isInstalled, otherTag }) {
  if (!(await succeeds('version'))) {
    say('NOT RUN test:kubernetes: kubectl reaches no cluster. --api-server needs none.');
    return true;
  }
  const isThere = await succeeds('get', 'namespace', NAMESPACE);
  if (isThere !== isInstalled) {
    const hint = isThere ? 'is there: --installed takes it as it is' : 'is not there';
    say(`The namespace ${NAMESPACE} ${hint}.`);
    return false;
  }
  const totals = { passed: 0, failed: 0 };
  const check = async (what, work) => {
    try {
      await step(what, work);
      totals.passed++;
    } catch ({ message }) {
      totals.failed++;
      say(`FAILED ${what}\n${message}`);
    }
  };
  let removeVisitors = () => undefined;
  try {
    await step(isInstalled ? 'waiting for every pod' : 'the commands of docs/deploy.md, Kubernetes', () =>
      isInstalled ? untilRolledOut() : installDev(),
    );
    await step('pods that visit', async () => {
      removeVisitors = await startVisitors();
    });
    const key = await firstKey();
    await check('the first call', () => firstCall(key));
    await step('two pods of edge and proxy', runTwo);
    await check('what may connect is what docs/connections.md says', expectConnections);
    await check('a planted policy is seen', expectPlantedIsSeen);
    await checkUnderLoad(key, check, otherTag);
    if (hasGo()) {
      await checkMonitored(key, check);
      await check('Traefik serves the Ingress', () => expectServedByIngress(key));
    } else
      say('NOT RUN autoscaling and the Ingress: their programs are built with Go, which this machine lacks.');
  } catch ({ message }) {
    totals.failed++;
    say(message);
    say(await kubectl('--namespace', NAMESPACE, 'get', 'pods').catch(() => ''));
  } finally {
    await removeVisitors();
    if (!isInstalled) await kubectl('delete', 'namespace', NAMESPACE, '--wait=false');
  }
  say(`${totals.passed} passed, ${totals.failed} failed`);
  return totals.failed === 0;
}

const succeeds = (...args) =>
  kubectl(...args).then(
    () => true,
    () => false,
  );

const expectConnections = () =>
  eventually(async () => {
    const { judged, differences } = await compareConnections();
    if (differences.length > 0)
      throw new Error(`${differences.length} of ${judged}:\n${differences.join('\n')}`);
    say(`${judged} connections judged, 0 differences`);
  }, POLICIES_MS);

/** A comparison that sees nothing would find no differences either. */
async function expectPlantedIsSeen() {
  const close = await openWide('redis');
  try {
    await eventually(async () => {
      const { differences } = await compareConnections();
      const isSeen = differences.some((line) => /^elsewhere to redis:6379 .*accepted$/.test(line));
      if (!isSeen) throw new Error(`It does not name it, but: ${differences.join('\n')}`);
    }, POLICIES_MS);
  } finally {
    await close();
  }
}

async function checkUnderLoad(key, check, otherTag) {
  await startWebhooks(key);
  const endLoad = startLoad(key);
  for (const service of SERVICES) await check(`rolling ${service}`, () => rollService(service));
  await check('killing each pod of two', killEachOfTwo);
  await check('draining the node of them', drainNode);
  if (otherTag !== undefined) {
    await check('upgrades from the version before, and back', () => upgradeOftenFrom(otherTag));
  }
  await check('applying again, as for a new version', applyAgain);
  const { outcomes, again, failed, answered, keys } = await endLoad();
  say(`${JSON.stringify(outcomes)}, sent again: ${again}`);
  await check('no call failed, and no stream was cut', () => {
    if (failed.length > 0) throw new Error(failed.join('\n'));
    if (again > answered.length * BUSY_MAX) throw new Error(`${again} were sent again.`);
  });
  await check('each answered call is charged once', () => expectBooksHold(answered));
  await check('each webhook arrived', () => eventually(() => expectTold(keys), WEBHOOKS_MS));
}

async function checkMonitored(key, check) {
  const stopMonitoring = await step('Prometheus and its adapter', startMonitoring);
  try {
    const seen = async () => {
      await firstCall(key);
      await expectDashboard();
    };
    await check('Prometheus takes the queries of the alerts', expectAlertsCanBeAsked);
    await check('the dashboard has figures', () => eventually(seen, FIGURES_MS));
    await check('the edge scales by its calls in flight', () => expectScaling(key));
  } finally {
    await stopMonitoring();
  }
}
