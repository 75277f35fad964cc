import type { DeviceSelection } from '../../../../cel/index.ts';
import { type FieldError, forbiddenField } from '../../../../machinery/meta/field-error.ts';
import { expressionFault } from '../../validation/policy-expressions.ts';

/** Follows kubernetes pkg/apis/resource/validation/validation.go validateCELSelector. */
export function selectorFaults(expression: string, path: string, selection: DeviceSelection): readonly FieldError[] {
  if (selection.outcome === 'failed') return [expressionFault(path, expression, selection)];
  return selection.isTooExpensive ? [forbiddenField(path, 'too complex, exceeds cost limit')] : [];
}
