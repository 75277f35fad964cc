import { goQuote } from '../../../machinery/meta/field-error.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { newForbidden } from '../chain/forbidden.ts';
import { ownValue } from '../../../machinery/meta/own-value.ts';

const codes: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

export interface Named {
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
    code: ownValue(codes, shown) ?? 422,
    details: { ...status.details, causes: [{ message: text }] },
  };
}

/** One error of a MutatingAdmissionPolicy. */
export interface MutationError extends Named {
  readonly message: string;
  readonly reason: 'Forbidden' | 'Invalid';
}

/**
 * The refusal for everything that failed in MutatingAdmissionPolicies: the first gives text and reason, the code is 403.
 * Follows apiserver pkg/admission/plugin/policy/generic/policy_dispatcher.go (rule MAP-8).
 */
export function mutationDenial(request: AdmissionAttributes, errors: readonly MutationError[]): Status {
  const texts = errors.map(errorText);
  const status = newForbidden(request, '');
  const causes = texts.map((message) => ({ message }));
  const reason = errors[0]?.reason ?? 'Forbidden';
  return { ...status, message: texts[0] ?? '', reason, details: { ...status.details, causes } };
}

const errorText = ({ policy, binding, message }: MutationError): string =>
  binding
    ? `policy '${policy.name}' with binding '${binding.name}' denied request: ${message}`
    : `policy ${goQuote(policy.name)} denied request: ${message}`;
