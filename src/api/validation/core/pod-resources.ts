import { forbiddenField, invalidValue, notSupported } from '../../../machinery/meta/field-error.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { each, errorIf, eachKey, type FieldErrors } from '../field-rules.ts';
import { podTotals } from '../../codec/defaults/pod-totals.ts';
import { amountOf } from '../meta/quantity-amount.ts';
import { isHugePages, resourceNameErrors } from './resource-names.ts';
import { validateResources } from './resources.ts';
import { ownValue } from '../../../machinery/meta/own-value.ts';
import type { PodSpec } from '../../types/generated/core-v1.ts';

/** Pod-level resources. Follows kubernetes pkg/apis/core/validation validatePodResources. */
export function validatePodResources(spec: PodSpec, path: string): FieldErrors {
  if (spec.resources === undefined) return [];
  if (asObject(spec.os).name === 'windows') return [forbiddenField(path, 'may not be set for a windows pod')];
  const resources = asObject(spec.resources);
  const limits = asObject(resources.limits);
  return [
    ...errorIf(resources.claims !== undefined, () =>
      forbiddenField(`${path}.claims`, 'claims may not be set for Resources at pod-level'),
    ),
    ...validateResources(resources, path, [], podResourceName),
    ...totalErrors(spec, 'requests', path),
    ...totalErrors(spec, 'limits', path),
    ...each(spec.containers, `${path}.containers`, (container, at) => {
      const own = asObject(asObject(container.resources).limits);
      return eachKey(own, (name) =>
        errorIf(amountOf(own[name]) > amountOf(ownValue(limits, name) ?? own[name]), () =>
          invalidValue(
            `${at}[${name}].limits`,
            asString(own[name]),
            `must be less than or equal to pod limits of ${asString(limits[name])}`,
          ),
        ),
      );
    }),
  ];
}

/** Container limits are added up for huge pages only. Follows validatePodResourceConsistency. */
function totalErrors(spec: PodSpec, field: 'limits' | 'requests', path: string): FieldErrors {
  const given = asObject(asObject(spec.resources)[field]);
  const totals = podTotals(spec, field);
  return eachKey(totals, (name) => {
    const total = totals[name];
    const most = ownValue(given, name);
    if (most === undefined || (field === 'limits' && !isHugePages(name))) return [];
    return errorIf(amountOf(total) > amountOf(most), () =>
      invalidValue(
        `${path}.${field}[${name}]`,
        asString(most),
        `must be greater than or equal to aggregate container ${field} of ${asString(total)}`,
      ),
    );
  });
}

const supported = ['cpu', 'hugepages-', 'memory'];

function podResourceName(name: string, field: string): FieldErrors {
  const errors = resourceNameErrors(name, field);
  if (errors.length > 0) return errors;
  return errorIf(name !== 'cpu' && name !== 'memory' && !isHugePages(name), () => notSupported(field, name, supported));
}
