import type { JsonObject } from '../../../machinery/json/json.ts';
import type { AdmissionRequest } from '../../../api/types/generated/admission-v1.ts';
import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import { userInfoJson } from '../../auth/user.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';

/** Conditions of webhooks see the requested resource (rule CEL-3). */
interface Matched {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/** What a review and the variable `request` have in common. */
type ReviewSubject = AdmissionRequest & { readonly dryRun: boolean; readonly options: JsonObject | null };

/**
 * The review's request without uid, objects and empty strings (rule CEL-2). Follows apiserver
 * pkg/admission/plugin/cel/condition.go CreateAdmissionRequest.
 */
export function requestVariable(request: AdmissionAttributes, matched: Matched): ReviewSubject {
  const { subresource, name, namespace, operation, userInfo, dryRun, options } = request;
  return {
    kind: kindOf(matched.kind),
    resource: resourceOf(matched.resource),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(request.kind),
    requestResource: resourceOf(request.resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: userInfoJson(userInfo),
    dryRun,
    options,
  };
}

const kindOf = ({ group, version, kind }: GroupVersionKind): GroupVersionKind => ({ group, version, kind });

const resourceOf = ({ group, version, resource }: GroupVersionResource): GroupVersionResource => ({
  group,
  version,
  resource,
});
