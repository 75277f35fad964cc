import type { Status } from '../../apimachinery/status.ts';
import type { AdmissionAttributes } from '../attributes.ts';
import { newForbidden } from '../forbidden.ts';

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

interface Named {
  readonly policy: { readonly name: string };
  readonly binding: { readonly name: string } | null;
}

/**
 * The refusal of a ValidatingAdmissionPolicy: the text of a 403 with another code and reason, 422 unless the
 * validation says otherwise. Follows apiserver pkg/admission/plugin/policy/validating/dispatcher.go (rules VAP-33, VAP-34).
 */
export function policyDenial(
  request: AdmissionAttributes,
  { policy, binding }: Named,
  { message, reason }: { readonly message: string; readonly reason: string },
): Status {
  const bound = binding ? ` with binding '${binding.name}'` : '';
  const text = `ValidatingAdmissionPolicy '${policy.name}'${bound} denied request: ${message}`;
  const status = newForbidden(request, text);
  const shown = reason || 'Invalid';
  return {
    ...status,
    reason: shown,
    code: codes[shown] ?? 422,
    details: { ...status.details, causes: [{ message: text }] },
  };
}
