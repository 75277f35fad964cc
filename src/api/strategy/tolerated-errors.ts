import { asList, asObject, valueAt, type JsonObject } from '../../machinery/json/json.ts';
import type { FieldError } from '../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { containerLists } from '../validation/core/container-lists.ts';
import { isSysAdminError } from '../validation/core/security-context.ts';
import { isMissingImage } from '../validation/core/volumes.ts';
import { podSpecAt } from './gated-fields.ts';
import type { Strategy } from './strategy.ts';

interface Toleration {
  /** The first minor release that tolerates it. */
  readonly since?: number;
  readonly isError: (error: FieldError) => boolean;
  readonly uses: (podSpec: JsonObject) => boolean;
}

/** Unlike validation, also where `allowPrivilegeEscalation` is absent. */
const addsSysAdmin = (container: JsonObject): boolean => {
  const context = asObject(container['securityContext']);
  const added = asList(asObject(context['capabilities'])['add']);
  return context['allowPrivilegeEscalation'] !== true && added.includes('CAP_SYS_ADMIN');
};

/** Follows kubernetes pkg/api/pod/util.go GetValidationOptionsFromPodSpecAndMeta. */
const tolerations: readonly Toleration[] = [
  {
    isError: isMissingImage,
    uses: (spec) =>
      asList(spec['volumes']).some((volume) => {
        const { image } = asObject(volume);
        return image !== undefined && !asObject(image)['reference'];
      }),
  },
  {
    since: 37,
    isError: isSysAdminError,
    uses: (spec) => containerLists.some((list) => asList(spec[list]).map(asObject).some(addsSysAdmin)),
  },
];

/** An update may keep what the Pod or template used before. */
export function toleratingOldErrors(strategy: Strategy, resource: string, minor: number): Strategy {
  const path = podSpecAt[resource]?.split('.');
  if (path === undefined) return strategy;
  const known = tolerations.filter(({ since = minor }) => minor >= since);
  const tolerated = (errors: readonly FieldError[], old: KubernetesObject): readonly FieldError[] =>
    known
      .filter(({ isError, uses }) => errors.some(isError) && uses(asObject(valueAt(old, ...path))))
      .reduce((left, { isError }) => left.filter((error) => !isError(error)), errors);
  return {
    ...strategy,
    validateUpdate: (object, old, ...rest) => tolerated(strategy.validateUpdate(object, old, ...rest), old),
  };
}
