import { invalidValue } from '../../../machinery/meta/field-error.ts';
import { asList, asObject } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import type { Container, PodSpec } from '../../types/generated/core-v1.ts';
import { none, when } from '../field-rules.ts';
import type { Complaints } from '../field-rules.ts';

/** Either all containers are processes of a Windows host, or none. Follows kubernetes pkg/apis/core/validation validateWindowsHostProcessPod. */
export function validateHostProcess(spec: PodSpec, path: string): Complaints {
  const ofPod = hostProcess(spec);
  const isAsked = (container: Container): boolean => hostProcess(asObject(container)) !== undefined;
  if (ofPod === undefined && !lists.some((field) => asList(spec[field]).some(isAsked))) return none;
  const containers = lists.flatMap((field) =>
    asList(spec[field]).map((container, index) => ({
      own: hostProcess(asObject(container)),
      at: `${path}.${field}[${index}].securityContext.windowsOptions.hostProcess`,
    })),
  );
  const running = containers.filter(({ own }) => (own ?? ofPod) === true);
  return [
    ...containers.flatMap(({ own, at }) =>
      when(own !== undefined && ofPod !== undefined && own !== ofPod, () =>
        invalidValue(at, own ?? null, `pod hostProcess value must be identical if both are specified, was ${ofPod}`),
      ),
    ),
    ...when(running.length > 0 && running.length < containers.length, () =>
      invalidValue(
        path,
        '',
        'If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ),
    ),
    ...when(running.length > 0 && spec.hostNetwork !== true, () =>
      invalidValue(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers'),
    ),
  ];
}

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

function hostProcess(of: PodSpec | Container): boolean | undefined {
  const value: JsonValue | undefined = asObject(asObject(of.securityContext).windowsOptions).hostProcess;
  return typeof value === 'boolean' ? value : undefined;
}
