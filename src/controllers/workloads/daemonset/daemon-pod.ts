import { nodeOfPod } from '../pod-state.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { labelOf } from '../history/revisions.ts';
import { asStrings, podFromTemplate } from '../pod-control.ts';
import { matchesNodeAffinity, hasUntoleratedTaint } from './node-fit.ts';
import type { DaemonSet } from '../../../api/types/generated/apps-v1.ts';
import type { Node, Pod, PodSpec, Toleration } from '../../../api/types/generated/core-v1.ts';

export const revisionHashLabel = 'controller-revision-hash';
const generationLabel = 'pod-template-generation';

const daemonTolerations: readonly (readonly [name: string, effect: string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
];

/** With the default tolerations of daemons. Follows pkg/controller/daemon/util AddOrUpdateDaemonPodTolerations. */
function addTolerations(spec: PodSpec): PodSpec {
  const own =
    spec.hostNetwork === true
      ? [...daemonTolerations, ['network-unavailable', 'NoSchedule'] as const]
      : daemonTolerations;
  const added = own.map(([name, effect]): Toleration => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect,
  }));
  const given = asList(spec.tolerations);
  const before = given.map((one) => added.find((other) => isSameToleration(one, other)) ?? one);
  const missing = added.filter((one) => !given.some((other) => isSameToleration(one, other)));
  return { ...spec, tolerations: [...before, ...missing] };
}

const isSameToleration = (a: Toleration, b: Toleration): boolean =>
  (['key', 'operator', 'value', 'effect'] as const).every((field) => asString(a[field]) === asString(b[field]));

const templateSpec = (set: DaemonSet): PodSpec => asObject(set.spec?.template?.spec);

const templateGeneration = (set: DaemonSet): string | undefined => {
  const text = metadataOf(set).annotations?.['deprecated.daemonset.template.generation'];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? String(Number(text)) : undefined;
};

export function newDaemonPod(set: DaemonSet, node: string, hash: string): KubernetesObject {
  const template = asObject(set.spec?.template);
  const metadata = asObject(template.metadata);
  const generation = templateGeneration(set);
  const labels = {
    ...asStrings(metadata.labels),
    ...(generation === undefined ? {} : { [generationLabel]: generation }),
    [revisionHashLabel]: hash,
  };
  const spec = pinToNode(addTolerations(templateSpec(set)), node);
  return podFromTemplate(set, { metadata: { ...metadata, labels }, spec });
}

/** Replaces the required node affinity. Follows ReplaceDaemonSetPodNodeNameNodeAffinity. */
function pinToNode(spec: PodSpec, node: string): PodSpec {
  const affinity = asObject(spec.affinity);
  const nodeSelectorTerms = [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }];
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  const nodeAffinity = { ...asObject(affinity.nodeAffinity), ...required };
  return { ...spec, affinity: { ...affinity, nodeAffinity } };
}

/** The node of a daemon, bound or by affinity; undefined for neither. Follows GetTargetNodeName. */
export function targetNode(pod: Pod): string | undefined {
  const bound = nodeOfPod(pod);
  if (bound !== '') return bound;
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const term of asList(required?.nodeSelectorTerms)) {
    for (const field of asList(term.matchFields)) {
      const values = asList(field.values);
      if (field.key === 'metadata.name' && field.operator === 'In') {
        return values.length === 1 ? asString(values[0]) : undefined;
      }
    }
  }
  return undefined;
}

export interface NodeFit {
  readonly shouldRun: boolean;
  /** A running daemon may stay. */
  readonly mayStay: boolean;
}

/** Follows NodeShouldRunDaemonPod. */
export function nodeShouldRunDaemonPod(set: DaemonSet, node: Node): NodeFit {
  const spec = addTolerations(templateSpec(set));
  const named = asString(spec.nodeName);
  if ((named !== '' && named !== metadataOf(node).name) || !matchesNodeAffinity(spec, node)) {
    return { shouldRun: false, mayStay: false };
  }
  return {
    shouldRun: !hasUntoleratedTaint(spec, node, ['NoSchedule', 'NoExecute']),
    mayStay: !hasUntoleratedTaint(spec, node, ['NoExecute']),
  };
}

/** Has the daemon the current template? Follows IsPodUpdated. */
export function isUpdated(set: DaemonSet, pod: Pod, hash: string): boolean {
  const generation = templateGeneration(set);
  return (
    (hash !== '' && labelOf(pod, revisionHashLabel) === hash) ||
    (generation !== undefined && labelOf(pod, generationLabel) === generation)
  );
}
