import { goQuote } from '../../machinery/meta/field-error.ts';
import { metadataOf } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { groupOf } from './definition.ts';
import type { Condition } from './definition.ts';

const annotation = 'api-approved.kubernetes.io';
const communityGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;
const demand = `protected groups must have approval annotation ${goQuote(annotation)}`;
const guide = 'see https://github.com/kubernetes/enhancements/pull/1111';
/** A scheme, a host, and no blanks. */
const addressWithHost = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#]\S*$/i;

/**
 * What is said of a definition in one of the community's own groups; undefined in any other.
 * Follows apiextensions-apiserver pkg/controller/apiapproval and pkg/apihelpers GetAPIApprovalState.
 */
export function approvalCondition(definition: KubernetesObject): Condition | undefined {
  if (!communityGroup.test(groupOf(definition))) return undefined;
  const text = metadataOf(definition).annotations?.[annotation] ?? '';
  if (text === '') return conformance('False', 'MissingAnnotation', `${demand}, ${guide}`);
  if (text.startsWith('unapproved'))
    return conformance('False', 'UnapprovedAnnotation', `not approved: ${goQuote(text)}`);
  if (addressWithHost.test(text)) return conformance('True', 'ApprovedAnnotation', `approved in ${text}`);
  const wrong = `${demand} with either a URL or a reason starting with "unapproved", ${guide}`;
  return conformance('False', 'InvalidAnnotation', wrong);
}

const conformance = (status: Condition['status'], reason: string, message: string): Condition => ({
  type: 'KubernetesAPIApprovalPolicyConformant',
  status,
  reason,
  message,
});
