import { asObject, asString } from '../../../machinery/json/json.ts';
import type { AdmissionReview } from '../../../api/types/generated/admission-v1.ts';

/** `CREATE deployments.apps/scale shop/web`. */
export function reviewSubject(review: Partial<AdmissionReview>): string {
  const request = asObject(review.request);
  const { group, resource } = asObject(request.resource);
  const plural = joined('.', resource, group);
  const name = joined('/', request.namespace, request.name);
  return joined(' ', request.operation, joined('/', plural, request.subResource), name);
}

const joined = (separator: string, ...parts: readonly (string | undefined)[]): string =>
  parts
    .map(asString)
    .filter((part) => part !== '')
    .join(separator);
