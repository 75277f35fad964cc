import { forbiddenField, type FieldError } from '../../machinery/meta/field-error.ts';
import { groupResourceText, type GroupResource } from '../../machinery/meta/gvk.ts';
import { asList, asObject, valueAt } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Strategy } from './strategy.ts';

const template = ['spec', 'template', 'spec'];

const podSpecs: Readonly<Record<string, readonly string[]>> = {
  pods: ['spec'],
  podtemplates: ['template', 'spec'],
  replicationcontrollers: template,
  'daemonsets.apps': template,
  'deployments.apps': template,
  'replicasets.apps': template,
  'statefulsets.apps': template,
  'jobs.batch': template,
  'cronjobs.batch': ['spec', 'jobTemplate', ...template],
};

/** The effect of --allow-privileged=false. Follows kubernetes pkg/apis/core/validation ValidateSecurityContext. */
export function withoutPrivileged(resource: GroupResource, strategy: Strategy): Strategy {
  const path = podSpecs[groupResourceText(resource)];
  if (path === undefined) return strategy;
  const isPod = resource.resource === 'pods';
  return {
    ...strategy,
    validate: (object) => [...strategy.validate(object), ...faultsIn(object, path, allFields)],
    validateUpdate: (object, old, subresource) => [
      ...strategy.validateUpdate(object, old, subresource),
      ...faultsIn(object, path, fieldsOfUpdate(isPod, subresource)),
    ],
  };
}

const allFields = ['containers', 'initContainers', 'ephemeralContainers'];

/** Only ephemeral containers can be added to a pod; a template can change completely. */
function fieldsOfUpdate(isPod: boolean, subresource: string): readonly string[] {
  if (isPod) return subresource === 'ephemeralcontainers' ? ['ephemeralContainers'] : [];
  return subresource === '' ? allFields : [];
}

function faultsIn(object: KubernetesObject, path: readonly string[], fields: readonly string[]): readonly FieldError[] {
  const spec = asObject(valueAt(object, ...path));
  return fields.flatMap((field) =>
    asList(spec[field]).flatMap((container, index) => {
      if (asObject(asObject(container)['securityContext'])['privileged'] !== true) return [];
      const at = `${[...path, field].join('.')}[${index}].securityContext.privileged`;
      return [forbiddenField(at, 'disallowed by cluster policy')];
    }),
  );
}
