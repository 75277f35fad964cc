import { type FieldError, forbiddenField, invalidValue } from '../../../machinery/meta/field-error.ts';
import { asString, valueAt, asList, asObject } from '../../../machinery/json/json.ts';
import { parseInt64 } from '../../../machinery/go/strconv.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { badRequest, invalid, notFound, notImplemented, type Status } from '../../../machinery/meta/status.ts';
import { parseTime } from '../../../machinery/meta/time.ts';
import { withParts, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { readCurrent } from './load-current.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';

/**
 * The checks before the kubelet is called; there is none. Follows kubernetes pkg/registry/core/pod/rest/log.go and
 * strategy.go LogLocation.
 */
export const readLog = (deps: HandlerDeps): Stage => ({
  name: 'read-log',
  run: async (exchange) => {
    const target = requirePart(exchange.target, 'target');
    const { name } = target.info;
    const options = readLogOptions(exchange.request.query);
    if (!options.ok) return options;
    const errors = logOptionErrors(options.value);
    if (errors.length > 0) return refuse(invalid({ group: '', kind: 'PodLogOptions' }, name, errors));
    const current = await readCurrent(deps, target);
    if (!current.ok) return current;
    if (!current.value) return refuse(notFound(target.resource, name));
    const problem = containerProblem(current.value.object, options.value.container);
    if (problem !== undefined) return refuse(badRequest(problem));
    if (asString(valueAt(current.value.object, 'spec', 'nodeName')) !== '') {
      return refuse((await missingNode(deps, current.value.object)) ?? noContainer);
    }
    return ok(withParts(exchange, { response: nothingYet }));
  },
});

const noContainer = notImplemented('pods have no logs here: no container runs');
const nothingYet = { type: 'document', code: 204, contentType: '', body: '' } as const;

interface LogOptions {
  readonly container: string;
  readonly stream: string | undefined;
  readonly hasSinceTime: boolean;
  readonly numbers: Readonly<Record<LogNumber, number | undefined>>;
}

const logNumbers = ['sinceSeconds', 'tailLines', 'limitBytes'] as const;
type LogNumber = (typeof logNumbers)[number];

function readLogOptions(query: URLSearchParams): Result<LogOptions> {
  const numbers: Record<LogNumber, number | undefined> = {
    sinceSeconds: undefined,
    tailLines: undefined,
    limitBytes: undefined,
  };
  for (const name of logNumbers) {
    const text = query.get(name);
    const read = text === null ? undefined : parseInt64(text);
    if (read?.outcome === 'unparsable') return refuse(badRequest(read.error));
    numbers[name] = read?.value;
  }
  const since = query.get('sinceTime');
  const time = since === null ? undefined : parseTime(since);
  if (time?.outcome === 'malformed') return refuse(badRequest(time.error));
  const [container, stream] = [query.get('container') ?? '', query.get('stream') ?? undefined];
  return ok({ container, stream, hasSinceTime: since !== null, numbers });
}

const positive = 'must be greater than 0';

/** Follows kubernetes pkg/apis/core/validation/validation.go ValidatePodLogOptions. */
function logOptionErrors({ stream, hasSinceTime, numbers }: LogOptions): readonly FieldError[] {
  const { tailLines, limitBytes, sinceSeconds } = numbers;
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalidValue('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) errors.push(invalidValue('limitBytes', limitBytes, positive));
  if (sinceSeconds !== undefined && hasSinceTime) {
    errors.push(forbiddenField('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalidValue('sinceSeconds', sinceSeconds, positive));
  }
  if (stream !== undefined) errors.push(forbiddenField('stream', 'may not be specified'));
  return errors;
}

/** '' is the only container. Follows kubernetes pkg/registry/core/pod/strategy.go validateContainer. */
export function containerProblem(pod: KubernetesObject, container: string): string | undefined {
  const spec = asObject(pod['spec']);
  const containers = asList(spec['containers']);
  const all = [...asList(spec['initContainers']), ...containers, ...asList(spec['ephemeralContainers'])];
  const names = all.map((one) => asString(asObject(one)['name']));
  const name = metadataOf(pod).name ?? '';
  if (container !== '') {
    return names.includes(container) ? undefined : `container ${container} is not valid for pod ${name}`;
  }
  return containers.length === 1
    ? undefined
    : `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`;
}

/**
 * The error names a Pod with the node's name. Follows kubernetes pkg/kubelet/client/kubelet_client.go
 * GetConnectionInfo, and a real kube-apiserver v1.36.2.
 */
export async function missingNode({ storage }: HandlerDeps, pod: KubernetesObject): Promise<Status | undefined> {
  const name = asString(valueAt(pod, 'spec', 'nodeName'));
  const node = await storage.read({ resource: { group: '', resource: 'nodes' }, namespace: '', name });
  return node ? undefined : notFound({ group: '', resource: 'pods' }, name);
}
