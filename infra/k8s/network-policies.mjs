import { BlockList, isIPv6 } from 'node:net';

const NAMESPACE = 'kubernetes.io/metadata.name';

/** @returns whether a pod may connect to a port, by TCP, of another pod or address. */
export function judgeOf(policies) {
  const isOpen = (direction, peersKey, subject, other, target, port) => {
    const own = policies.filter(
      ({ metadata, spec }) =>
        metadata.namespace === subject.namespace &&
        typesOf(spec).includes(direction) &&
        matches(spec.podSelector, subject.labels),
    );
    if (own.length === 0) return true;
    return own.some(({ metadata: { namespace }, spec }) =>
      (spec[direction.toLowerCase()] ?? []).some(
        ({ [peersKey]: peers, ports }) =>
          (peers === undefined || peers.some((peer) => isPeer(peer, other, namespace))) &&
          (ports === undefined || ports.some((each) => isPort(each, target, port))),
      ),
    );
  };
  return (from, to, port) =>
    isOpen('Egress', 'to', from, to, to, port) && isOpen('Ingress', 'from', to, from, to, port);
}

const typesOf = ({ policyTypes, egress }) =>
  policyTypes ?? (egress === undefined ? ['Ingress'] : ['Ingress', 'Egress']);

function isPeer({ ipBlock, podSelector = {}, namespaceSelector }, { address, namespace, labels }, own) {
  if (ipBlock !== undefined)
    return isWithin(address, [ipBlock.cidr]) && !isWithin(address, ipBlock.except ?? []);
  if (labels === undefined) return false;
  const isNamespace =
    namespaceSelector === undefined
      ? namespace === own
      : matches(namespaceSelector, { [NAMESPACE]: namespace });
  return isNamespace && matches(podSelector, labels);
}

function isWithin(address, ranges) {
  const list = new BlockList();
  for (const [network, prefix] of ranges.map((range) => range.split('/')))
    list.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4');
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** A port by its name is that of the pod that is connected to. */
const isPort = ({ protocol = 'TCP', port: wanted }, { ports }, { port }) =>
  protocol === 'TCP' &&
  (wanted === undefined ||
    wanted === port ||
    ports.some((each) => each.name === wanted && each.port === port));

function matches({ matchLabels = {}, matchExpressions = [] }, labels) {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`Nobody has taught this the operator ${operator}.`);
      return values.includes(labels[key]);
    })
  );
}
