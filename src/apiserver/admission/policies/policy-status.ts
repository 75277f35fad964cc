import { goQuote } from '../../../machinery/meta/field-error.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { AdmissionAttributes } from '../chain/attributes.ts';
import { newForbidden } from '../chain/refusal.ts';
import { ownValue } from '../../../machinery/meta/object.ts';

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
 * A 403 text with code and reason of the validation, 422 by default. Follows apiserver
 * pkg/admission/plugin/policy/validating/dispatcher.go (rules VAP-33, VAP-34).
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

export interface MutationError extends Named {
  readonly message: string;
  readonly reason: 'Forbidden' | 'Invalid';
}

/**
 * Code 403; the first error has text and reason. Follows apiserver
 * pkg/admission/plugin/policy/generic/policy_dispatcher.go (rule MAP-8).
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
