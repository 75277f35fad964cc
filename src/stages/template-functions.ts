import { writeJson } from '../apimachinery/json-writer.ts';
import type { JsonValue } from '../apimachinery/json.ts';
import { dataFunctions } from './template/data-functions.ts';
import { goFunctions } from './template/go-functions.ts';
import type { TemplateFunction } from './template/render.ts';
import { textFunctions } from './template/text-functions.ts';
import type { Value } from './template/tree.ts';
import { isTrue, numberOf, textOf } from './template/value.ts';

/** What the functions of KWOK tell of where they run. */
export interface Surroundings {
  readonly now: () => string;
  readonly startTime: string;
  /** The name of the Node that is moved on; '' for another object. */
  readonly nodeName: string;
  readonly nodeIPs: (node: string) => readonly string[];
  /** The addresses of the Pod with this uid, namespace and name. */
  readonly podIPs: (uid: string, namespace: string, name: string) => readonly string[];
}

const general: ReadonlyMap<string, TemplateFunction> = new Map(
  [goFunctions, textFunctions, dataFunctions].flatMap((functions) => Object.entries(functions)),
);

/** KWOK's own. Follows KWOK pkg/utils/gotpl/funcs.go and pkg/kwok/controllers/pod_controller.go. */
const kwokFunctions: Readonly<Record<string, (surroundings: Surroundings) => TemplateFunction>> = {
  Quote: () => (value) => writeJson(typeof value === 'string' ? value : writeJson(value ?? null)),
  Now: (here) => () => here.now(),
  StartTime: (here) => () => here.startTime,
  // JSON is YAML that stands in any place.
  YAML: () => (value, indent) =>
    `${indent === undefined ? '' : `\n${'  '.repeat(Math.min(numberOf(indent), 100))}`}${writeJson(value ?? null)}\n`,
  Version: () => () => kwokVersion,
  NodeConditions: () => () => nodeConditions,
  NodeName: (here) => () => here.nodeName,
  NodePort: () => () => 0,
  NodeIP: (here) => () => here.nodeIPs(here.nodeName)[0] ?? '',
  NodeIPWith: (here) => (node) => here.nodeIPs(textOf(node))[0] ?? '',
  NodeIPsWith: (here) => (node) => here.nodeIPs(textOf(node)),
  PodIP: (here) => () => here.podIPs('', '', '')[0] ?? '',
  PodIPWith:
    (here) =>
    (...args) =>
      addresses(here, args)[0] ?? '',
  PodIPsWith:
    (here) =>
    (...args) =>
      addresses(here, args),
};

/** The release whose language this is. */
const kwokVersion = 'v0.8.0';

const addresses = (
  { nodeIPs, podIPs }: Surroundings,
  [node, isOnHost, uid, name, namespace]: readonly Value[],
): readonly string[] =>
  isTrue(isOnHost) ? nodeIPs(textOf(node)) : podIPs(textOf(uid), textOf(namespace), textOf(name));

export const isTemplateFunction = (name: string): boolean =>
  name === 'and' || name === 'or' || general.has(name) || Object.hasOwn(kwokFunctions, name);

export const templateFunctions = (surroundings: Surroundings): ReadonlyMap<string, TemplateFunction> =>
  new Map([...general, ...Object.entries(kwokFunctions).map(([name, make]) => [name, make(surroundings)] as const)]);

const condition = (type: string, status: string, reason: string, message: string): JsonValue => ({
  type,
  status,
  lastHeartbeatTime: null,
  lastTransitionTime: null,
  reason,
  message,
});

const nodeConditions: JsonValue = [
  condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
  condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
  condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
  condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
  condition('NetworkUnavailable', 'False', 'RouteCreated', 'RouteController created a route'),
];
