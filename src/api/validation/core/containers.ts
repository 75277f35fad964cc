import {
  validateUnique,
  validateRequiredText,
  validateRequiredEnum,
  validateOptionalText,
  validatePortNum,
  each,
  noErrors,
  errorIf,
  type FieldErrors,
} from '../field-rules.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import {
  duplicate,
  fieldNotFound,
  forbiddenField,
  invalidValue,
  required,
} from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dns1123Label, portName } from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import type { Container, ContainerPort, ContainerResizePolicy, PodSpec } from '../../types/generated/core-v1.ts';
import { validateEnv, validateEnvFrom } from './container-env.ts';
import {
  validateLifecycle,
  validateProbes,
  validateInitContainerRestartPolicy,
  validateContainerRestartPolicy,
} from './container-handlers.ts';
import { validateResourceRequirements } from './resources.ts';
import { validateSecurityContext } from './security-context.ts';
import { validateVolumeDevices, validateVolumeMounts, type Volumes } from './volume-mounts.ts';

export interface PodContext {
  readonly volumes: Volumes;
  readonly claimNames: readonly string[];
  readonly graceSeconds: number | undefined;
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
}

/** The file follows kubernetes pkg/apis/core/validation validateContainers and its helpers. */
export function validateContainers(
  containers: readonly Container[] | null | undefined,
  path: string,
  pod: PodContext,
): FieldErrors {
  if (asList(containers).length === 0) return [required(path, '')];
  const names = new Set<string>();
  const errors = each(containers, path, (container, at) => {
    const name = asString(container.name);
    return [
      ...validateContainer(container, at, pod),
      ...validateUnique(names, `${at}.name`, name),
      ...validateLifecycle(container.lifecycle, `${at}.lifecycle`, pod.graceSeconds),
      ...validateProbes(container, at),
      ...validateContainerRestartPolicy(container, at),
    ];
  });
  return [...errors, ...validateHostPortConflicts(asList(containers), path)];
}

const sidecarOnlyFields = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

export function validateInitContainers(
  containers: readonly Container[] | undefined,
  regular: readonly Container[] | null | undefined,
  path: string,
  pod: PodContext,
): FieldErrors {
  if (containers === undefined) return noErrors;
  const regularNames = asList(regular).map((container) => asString(asObject(container).name));
  const names = new Set(regularNames);
  const hasUnnamed = regularNames.includes('');
  return each(containers, path, (container, at) => {
    const name = asString(container.name);
    // Two init containers may both lack a name.
    const isRepeated = name === '' ? hasUnnamed : isDuplicate(names, name);
    const isSidecar = container.restartPolicy === 'Always';
    const running = isSidecar
      ? [
          ...validateLifecycle(container.lifecycle, `${at}.lifecycle`, pod.graceSeconds),
          ...validateProbes(container, at),
        ]
      : sidecarOnlyFields.flatMap((field) =>
          errorIf(container[field] !== undefined, () =>
            forbiddenField(`${at}.${field}`, 'may not be set for init containers without restartPolicy=Always'),
          ),
        );
    return [
      ...validateContainer(container, at, pod),
      ...validateInitContainerRestartPolicy(container, at),
      ...errorIf(isRepeated, () => duplicate(`${at}.name`, name)),
      ...validateHostPortConflicts([container], path),
      ...running,
      ...(isSidecar ? [] : validateNoRestartOnResize(container, at)),
    ];
  });
}

/** Only sidecars are restarted for a resize. Follows kubernetes pkg/apis/core/validation validateInitContainers. */
const validateNoRestartOnResize = (container: Container, path: string): FieldErrors =>
  each(container.resizePolicy, `${path}.resizePolicy`, ({ restartPolicy }, at) =>
    errorIf(restartPolicy === 'RestartContainer', () =>
      invalidValue(
        `${at}.restartPolicy`,
        restartPolicy ?? '',
        "must not be set to 'RestartContainer' for non-sidecar initContainers",
      ),
    ),
  );

const ephemeralFields = new Set([
  'name',
  'image',
  'command',
  'args',
  'workingDir',
  'envFrom',
  'env',
  'volumeMounts',
  'volumeDevices',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'imagePullPolicy',
  'securityContext',
  'stdin',
  'stdinOnce',
  'tty',
  'targetContainerName',
]);

export function validateEphemeralContainers(spec: PodSpec, path: string, pod: PodContext): FieldErrors {
  if (spec.ephemeralContainers === undefined) return noErrors;
  const nameOf = (container: Container): string => asString(asObject(container).name);
  const others = new Set([...asList(spec.containers), ...asList(spec.initContainers)].map(nameOf));
  const names = new Set(others);
  const text = 'cannot be set for an Ephemeral Container';
  return each(spec.ephemeralContainers, path, (container, at) => {
    const [name, target] = [asString(container.name), asString(container.targetContainerName)];
    const isSet = (field: string): boolean =>
      field !== 'resources' || Object.keys(asObject(container[field])).length > 0;
    return [
      ...validateContainer(container, at, pod),
      ...validateImageWhitespace(container, at),
      ...validateUnique(names, `${at}.name`, name),
      ...errorIf(target !== '' && !others.has(target), () => fieldNotFound(`${at}.targetContainerName`, target)),
      ...Object.keys(container)
        .filter((field) => !ephemeralFields.has(field) && isSet(field))
        .map((field) => forbiddenField(`${at}.${field}`, text)),
      ...each(container.volumeMounts, `${at}.volumeMounts`, (mount, mountPath) =>
        (['subPath', 'subPathExpr'] as const)
          .filter((field) => mount[field] !== undefined && mount[field] !== '')
          .map((field) => forbiddenField(`${mountPath}.${field}`, text)),
      ),
    ];
  });
}

const messagePolicies = ['File', 'FallbackToLogsOnError'];
const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

function validateContainer(container: Container, path: string, pod: PodContext): FieldErrors {
  return [
    ...validateRequiredText(dns1123Label, `${path}.name`, container.name),
    ...errorIf(asString(container.image) === '', () => required(`${path}.image`, '')),
    ...validateRequiredEnum(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, messagePolicies),
    ...validateContainerPorts(container.ports, `${path}.ports`),
    ...validateEnv(container.env, `${path}.env`),
    ...validateEnvFrom(container.envFrom, `${path}.envFrom`),
    ...validateVolumeMounts(container, pod.volumes, `${path}.volumeMounts`),
    ...validateVolumeDevices(container, pod.volumes, `${path}.volumeDevices`),
    ...validateRequiredEnum(`${path}.imagePullPolicy`, container.imagePullPolicy, pullPolicies),
    ...validateResourceRequirements(container.resources, `${path}.resources`, pod.claimNames),
    ...validateResizePolicy(container.resizePolicy, `${path}.resizePolicy`, pod.restartPolicy),
    ...validateSecurityContext(container.securityContext, `${path}.securityContext`, pod.hostUsers),
  ];
}

export const protocols = ['SCTP', 'TCP', 'UDP'];

function validateContainerPorts(ports: readonly ContainerPort[] | undefined, path: string): FieldErrors {
  if (ports === undefined) return noErrors;
  const names = new Set<string>();
  return each(ports, path, (item, at) => {
    const [name, number, hostPort] = [asString(item.name), Number(item.containerPort ?? 0), Number(item.hostPort ?? 0)];
    const nameErrors = validateOptionalText(portName, `${at}.name`, name);
    const isRepeated = isDuplicate(names, name) && name !== '' && nameErrors.length === 0;
    return [
      ...nameErrors,
      ...errorIf(isRepeated, () => duplicate(`${at}.name`, name)),
      ...(number === 0 ? [required(`${at}.containerPort`, '')] : validatePortNum(`${at}.containerPort`, number)),
      ...(hostPort === 0 ? noErrors : validatePortNum(`${at}.hostPort`, hostPort)),
      ...validateRequiredEnum(`${at}.protocol`, item.protocol, protocols),
    ];
  });
}

function validateResizePolicy(
  policies: readonly ContainerResizePolicy[] | undefined,
  path: string,
  podRestartPolicy: string,
): FieldErrors {
  if (policies === undefined) return noErrors;
  const seen = new Set<string>();
  return each(policies, path, (policy, at) => {
    const [resource, restart] = [asString(policy.resourceName), asString(policy.restartPolicy)];
    return [
      ...validateUnique(seen, at, resource),
      ...validateRequiredEnum(path, resource, ['cpu', 'memory']),
      ...validateRequiredEnum(path, restart, ['NotRequired', 'RestartContainer']),
      ...errorIf(podRestartPolicy === 'Never' && restart !== 'NotRequired', () =>
        invalidValue(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"),
      ),
    ];
  });
}

function validateHostPortConflicts(containers: readonly Container[], path: string): FieldErrors {
  const taken = new Set<string>();
  return each(containers, path, (container, containerAt) =>
    each(container.ports, `${containerAt}.ports`, ({ protocol, hostIP, hostPort }, at) => {
      if (Number(hostPort ?? 0) === 0) return noErrors;
      const key = `${asString(protocol)}/${asString(hostIP)}/${Number(hostPort)}`;
      return errorIf(isDuplicate(taken, key), () => duplicate(`${at}.hostPort`, key));
    }),
  );
}

/** Pods, unlike templates, reject whitespace around images. */
export function validateImageWhitespace(container: Container, path: string): FieldErrors {
  const image = asString(container.image);
  return errorIf(trimSpace(image) !== image, () =>
    invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace'),
  );
}
