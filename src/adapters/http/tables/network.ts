import { groupResourceText } from '../../../machinery/meta/gvk.ts';
import { asString, isJsonObject, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import {
  ageOf,
  cells,
  labelsCell,
  labelSelectorText,
  listWithMore,
  nameOf,
  numberAt,
  objectsAt,
  type Printers,
  scalarCell,
  scalarAt,
  textCell,
  textAt,
  textsCell,
  textsAt,
} from './cell.ts';

// Follows kubernetes pkg/printers/internalversion/printers.go.

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

const maxHosts = 3;

/** Rules without a host count only after three with one. */
function hosts(ingress: JsonObject): string {
  const rules = objectsAt(ingress, 'spec', 'rules');
  const named: string[] = [];
  let more = false;
  for (const rule of rules) {
    more ||= named.length === maxHosts;
    const host = asString(rule['host']);
    if (!more && host !== '') named.push(host);
  }
  if (named.length === 0) return '*';
  return more ? `${named.join(',')} + ${rules.length - maxHosts} more...` : named.join(',');
}

function classParameters(ingressClass: JsonObject): string {
  const parameters = valueAt(ingressClass, 'spec', 'parameters');
  if (!isJsonObject(parameters)) return '<none>';
  const group = scalarAt(parameters, ['apiGroup'], '');
  const dotted = typeof parameters['apiGroup'] === 'string' ? `.${group}` : '';
  return `${asString(parameters['kind'])}${dotted}/${asString(parameters['name'])}`;
}

const maxAddresses = 3;

function subsetsText(endpoints: JsonObject): string {
  const subsets = objectsAt(endpoints, 'subsets');
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap((subset) => {
    const addresses = objectsAt(subset, 'addresses').map(({ ip }) => asString(ip));
    const ports = objectsAt(subset, 'ports').map((port) => numberAt(port, 'port'));
    return ports.length === 0 ? addresses : ports.flatMap((port) => addresses.map((ip) => hostPort(ip, port)));
  });
  return listWithMore(all, maxAddresses);
}

const hostPort = (ip: string, port: number | bigint): string =>
  ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;

const slicePort = (port: JsonObject): string => scalarAt(port, ['port'], scalarAt(port, ['name'], '*'));

const sliceAddresses = (slice: JsonObject): readonly string[] =>
  objectsAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses'));

function parentText(address: JsonObject): string {
  const parent = valueAt(address, 'spec', 'parentRef');
  if (!isJsonObject(parent)) return '<none>';
  const [group, resource, namespace] = [
    textAt(parent, 'group'),
    textAt(parent, 'resource'),
    textAt(parent, 'namespace'),
  ];
  const place = namespace === '' ? '' : `/${namespace}`;
  return `${groupResourceText({ group, resource }).toLowerCase()}${place}/${textAt(parent, 'name')}`;
}

export const networkPrinters: Printers = {
  '/Endpoints': cells(nameOf, subsetsText, ageOf),
  '/Service': cells(
    nameOf,
    textCell('spec.type'),
    (service) => textsAt(service, 'spec', 'clusterIPs')[0] ?? '<none>',
    externalAddress,
    (service) => objectsAt(service, 'spec', 'ports').map(portText).join(',') || '<none>',
    ageOf,
    labelsCell('spec.selector'),
  ),
  'discovery.k8s.io/EndpointSlice': cells(
    nameOf,
    textCell('addressType'),
    (slice) => listWithMore(objectsAt(slice, 'ports').map(slicePort), maxAddresses) || '<unset>',
    (slice) => listWithMore(sliceAddresses(slice), maxAddresses) || '<unset>',
    ageOf,
  ),
  // One cell more than columns, as upstream.
  'networking.k8s.io/IPAddress': cells(nameOf, parentText, ageOf),
  'networking.k8s.io/Ingress': cells(
    nameOf,
    scalarCell('spec.ingressClassName', '<none>'),
    hosts,
    (ingress) => loadBalancerAddresses(ingress).join(','),
    (ingress) => (objectsAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80'),
    ageOf,
  ),
  'networking.k8s.io/IngressClass': cells(nameOf, textCell('spec.controller'), classParameters, ageOf),
  'networking.k8s.io/NetworkPolicy': cells(
    nameOf,
    (policy) => labelSelectorText(valueAt(policy, 'spec', 'podSelector') ?? {}),
    ageOf,
  ),
  'networking.k8s.io/ServiceCIDR': cells(nameOf, textsCell('spec.cidrs'), ageOf),
};
