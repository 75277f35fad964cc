import { asList, asObject, asString } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { dns1123Label } from '../../apimachinery/names.ts';
import { metadataOf } from '../../apimachinery/object.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { amountOf } from './quantity-amount.ts';

type Warnings = readonly string[];

/** What a new pod is warned of. Follows kubernetes pkg/registry/core/pod/strategy.go WarningsOnCreate. */
export function podWarnings(pod: KubernetesObject): Warnings {
  const problems = dns1123Label(metadataOf(pod).name ?? '');
  const text = `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`;
  return [...(problems.length > 0 ? [text] : []), ...podSpecWarnings(asObject(pod['spec']), 'spec')];
}

/** The same for the template of a workload, on create and when its generation has changed. */
export const templateWarnings = (object: KubernetesObject): Warnings =>
  podSpecWarnings(asObject(asObject(asObject(object['spec'])['template'])['spec']), 'spec.template.spec');

export const templateUpdateWarnings = (object: KubernetesObject, old: KubernetesObject): Warnings =>
  metadataOf(object).generation === metadataOf(old).generation ? [] : templateWarnings(object);

const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

/** The ones people meet. Follows kubernetes pkg/api/pod/warnings.go. */
function podSpecWarnings(spec: JsonObject, path: string): Warnings {
  const selectors = Object.keys(asObject(spec['nodeSelector'])).filter((key) => Object.hasOwn(deprecatedLabels, key));
  const grace = spec['terminationGracePeriodSeconds'];
  return [
    ...selectors.map((key) => `${path}.nodeSelector[${key}]: ${deprecatedLabels[key]}`),
    ...indexed(spec['imagePullSecrets']).flatMap(([secret, index]) =>
      asString(secret['name']) === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...(['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
      indexed(spec[list]).flatMap(([container, index]) => containerWarnings(container, `${path}.${list}[${index}]`)),
    ),
    ...(grace !== undefined && Number(grace) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
  ];
}

const indexed = (list: JsonValue | undefined): readonly (readonly [JsonObject, number])[] =>
  asList(list).map((item, index) => [asObject(item), index]);

function containerWarnings(container: JsonObject, path: string): Warnings {
  const resources = asObject(container['resources']);
  const fractions = (['limits', 'requests'] as const).flatMap((kind) =>
    ['memory', 'ephemeral-storage'].flatMap((name) => {
      const amount = asObject(resources[kind])[name];
      if (amount === undefined || amountOf(amount) % 1_000_000_000n === 0n) return [];
      const field = `${path}.resources.${kind}[${name}]`;
      return [`${field}: fractional byte value ${JSON.stringify(amount)} is invalid, must be an integer`];
    }),
  );
  return [
    ...fractions,
    ...hiddenVariables(container['env'], `${path}.env`),
    ...samePorts(container['ports'], `${path}.ports`),
  ];
}

/** A variable that is set twice, unless the second builds on the first. */
function hiddenVariables(env: JsonValue | undefined, path: string): Warnings {
  const seen = new Set<string>();
  return indexed(env).flatMap(([variable, index]) => {
    const [name, value] = [asString(variable['name']), asString(variable['value'])];
    const isRepeated = seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    const buildsOn = variable['valueFrom'] === undefined && value.includes(reference) && value !== reference;
    if (!isRepeated || buildsOn) return [];
    return [
      `${path}[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
    ];
  });
}

function samePorts(ports: JsonValue | undefined, path: string): Warnings {
  const seen = new Map<string, number>();
  return indexed(ports).flatMap(([{ protocol, hostIP, hostPort, containerPort }, index]) => {
    const key = JSON.stringify([protocol, hostIP, hostPort, containerPort]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    return first === undefined ? [] : [`${path}[${index}]: duplicate port definition with ${path}[${first}]`];
  });
}
