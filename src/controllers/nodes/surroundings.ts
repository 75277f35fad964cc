import { asList, asString } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import { formatMicroTime } from '../../apimachinery/time.ts';
import type { TemplateFunction } from '../../stages/template/render.ts';
import { templateFunctions } from '../../stages/template-functions.ts';
import { follow } from '../controller.ts';
import type { ControllerContext } from '../controller.ts';
import { coreV1 } from '../served-resources.ts';
import { nameOf } from '../workloads/fields.ts';
import { keyOfName, nameIn } from '../workloads/follow-pods.ts';
import { pods } from '../workloads/pod-control.ts';
import { hostAddress, podAddressAt } from './addresses.ts';
import type { Node } from '../../schema/generated/core-v1.ts';

const nodes = coreV1('nodes');

/** The functions of templates for an object. A Pod keeps the address that it got first. */
export function createSurroundings(
  context: ControllerContext,
): (object: KubernetesObject) => ReadonlyMap<string, TemplateFunction> {
  const { store, clock } = context;
  const startTime = formatMicroTime(clock.now());
  const addresses = new Map<string, string>();
  let last = -1;
  const addressOf = (pod: string): string => {
    const known = addresses.get(pod);
    if (known !== undefined) return known;
    last += 1;
    const address = podAddressAt(last);
    addresses.set(pod, address);
    return address;
  };
  follow(context, pods, ({ type, object }) => {
    if (type === 'removed') addresses.delete(podKey(metadataOf(object).uid ?? '', keyOfName(nameIn(object))));
  });
  return (object) =>
    templateFunctions({
      now: () => formatMicroTime(clock.now()),
      startTime,
      nodeName: object.kind === 'Node' ? nameOf(object) : '',
      nodeIPs: (node) => internalAddresses(store.get(nodes, '', node)),
      podIPs: (uid, namespace, name) => [addressOf(podKey(uid, `${namespace}/${name}`))],
    });
}

const podKey = (uid: string, name: string): string => (uid === '' ? name : uid);

/** What the Node says, else the one address of all. */
function internalAddresses(node: Node | undefined): readonly string[] {
  const own = asList(node?.status?.addresses)
    .filter(({ type }) => type === 'InternalIP')
    .map(({ address }) => asString(address));
  return own.length > 0 ? own : [hostAddress];
}
