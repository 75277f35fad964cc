import type { GroupVersionKind, GroupVersionResource } from '../../../machinery/meta/gvk.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { userInfoJson } from '../../auth/user.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';

/** As what a request was matched. Webhooks tell their conditions the requested resource all the same (rule CEL-3). */
interface Matched {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
}

/**
 * The variable `request`: the AdmissionReview's request without uid and objects, empty strings absent (rule CEL-2).
 * Follows apiserver pkg/admission/plugin/cel/condition.go CreateAdmissionRequest.
 */
export function requestVariable(request: AdmissionAttributes, matched: Matched): JsonObject {
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

const kindOf = ({ group, version, kind }: GroupVersionKind): JsonObject => ({ group, version, kind });

const resourceOf = ({ group, version, resource }: GroupVersionResource): JsonObject => ({ group, version, resource });
