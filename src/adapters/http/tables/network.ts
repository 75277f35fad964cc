import { groupResourceText } from '../../../machinery/meta/gvk.ts';
import { asString, isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import {
  ageOf,
  type Cells,
  labelSelectorText,
  labelsText,
  listWithMore,
  nameOf,
  numberAt,
  objectsAt,
  scalarAt,
  textAt,
  textsAt,
} from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

export const serviceCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'type'),
  textsAt(object, 'spec', 'clusterIPs')[0] ?? '<none>',
  externalAddress(object),
  objectsAt(object, 'spec', 'ports').map(portText).join(',') || '<none>',
  ageOf(object, now),
  labelsText(valueAt(object, 'spec', 'selector')),
];

function externalAddress(service: JsonObject): string {
  const externalIPs = textsAt(service, 'spec', 'externalIPs');
  switch (textAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIPs.join(',') || '<none>';
    case 'LoadBalancer':
      return [...loadBalancerAddresses(service), ...externalIPs].join(',') || '<pending>';
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName');
    default:
      return '<unknown>';
  }
}

function portText(port: JsonObject): string {
  const nodePort = numberAt(port, 'nodePort');
  const number = `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}`;
  return `${number}/${asString(port['protocol'])}`;
}

function loadBalancerAddresses(object: JsonObject): readonly string[] {
  const addresses = objectsAt(object, 'status', 'loadBalancer', 'ingress').map(
    ({ ip, hostname }) => asString(ip) || asString(hostname),
  );
  return [...new Set(addresses.filter((address) => address !== ''))].toSorted();
}

export const ingressCells: Cells = (object, now) => [
  nameOf(object),
  scalarAt(object, ['spec', 'ingressClassName'], '<none>'),
  hosts(objectsAt(object, 'spec', 'rules')),
  loadBalancerAddresses(object).join(','),
  objectsAt(object, 'spec', 'tls').length > 0 ? '80, 443' : '80',
  ageOf(object, now),
];

const mostHosts = 3;

/** Rules without a host count only after three with one. */
function hosts(rules: readonly JsonObject[]): string {
  const named: string[] = [];
  let more = false;
  for (const rule of rules) {
    more ||= named.length === mostHosts;
    const host = asString(rule['host']);
    if (!more && host !== '') named.push(host);
  }
  if (named.length === 0) return '*';
  return more ? `${named.join(',')} + ${rules.length - mostHosts} more...` : named.join(',');
}

export const ingressClassCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'spec', 'controller'),
  classParameters(valueAt(object, 'spec', 'parameters')),
  ageOf(object, now),
];

function classParameters(parameters: ReturnType<typeof valueAt>): string {
  if (!isJsonObject(parameters)) return '<none>';
  const group = scalarAt(parameters, ['apiGroup'], '');
  const dotted = typeof parameters['apiGroup'] === 'string' ? `.${group}` : '';
  return `${asString(parameters['kind'])}${dotted}/${asString(parameters['name'])}`;
}

export const networkPolicyCells: Cells = (object, now) => [
  nameOf(object),
  labelSelectorText(valueAt(object, 'spec', 'podSelector') ?? {}),
  ageOf(object, now),
];

export const endpointsCells: Cells = (object, now) => [
  nameOf(object),
  subsetsText(objectsAt(object, 'subsets')),
  ageOf(object, now),
];

const mostAddresses = 3;

function subsetsText(subsets: readonly JsonObject[]): string {
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap((subset) => {
    const addresses = objectsAt(subset, 'addresses').map(({ ip }) => asString(ip));
    const ports = objectsAt(subset, 'ports').map((port) => numberAt(port, 'port'));
    return ports.length === 0 ? addresses : ports.flatMap((port) => addresses.map((ip) => hostPort(ip, port)));
  });
  return listWithMore(all, mostAddresses);
}

const hostPort = (ip: string, port: number | bigint): string =>
  ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;

export const endpointSliceCells: Cells = (object, now) => [
  nameOf(object),
  textAt(object, 'addressType'),
  listWithMore(
    objectsAt(object, 'ports').map((port) => scalarAt(port, ['port'], scalarAt(port, ['name'], '*'))),
    mostAddresses,
  ) || '<unset>',
  listWithMore(
    objectsAt(object, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses')),
    mostAddresses,
  ) || '<unset>',
  ageOf(object, now),
];

export const serviceCidrCells: Cells = (object, now) => [
  nameOf(object),
  textsAt(object, 'spec', 'cidrs').join(','),
  ageOf(object, now),
];

/** One cell more than columns, as upstream. */
export const ipAddressCells: Cells = (object, now) => [
  nameOf(object),
  parentText(valueAt(object, 'spec', 'parentRef')),
  ageOf(object, now),
];

function parentText(parent: ReturnType<typeof valueAt>): string {
  if (!isJsonObject(parent)) return '<none>';
  const [group, resource, namespace] = [
    textAt(parent, 'group'),
    textAt(parent, 'resource'),
    textAt(parent, 'namespace'),
  ];
  const place = namespace === '' ? '' : `/${namespace}`;
  return `${groupResourceText({ group, resource }).toLowerCase()}${place}/${textAt(parent, 'name')}`;
}
