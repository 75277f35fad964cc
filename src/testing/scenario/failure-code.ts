/** Codes of failures in reports. docs/reference/scenario-format.md has a row for each. */
export const failureCodes = [
  'outcome',
  'deniedBy',
  'code',
  'reason',
  'message',
  'object',
  'exactly',
  'golden',
  'webhooks',
  'webhooks.patch',
  'webhooks.phase',
  'webhooks.error',
  'webhooks.warnings',
  'webhooks.auditAnnotations',
  'policies',
  'order',
  'findings',
  'warnings',
  'auditAnnotations',
  'elapsed',
  'settled',
  'timeout',
  'create',
  'update',
  'apply',
  'patch',
  'delete',
  'deletecollection',
  'connect',
  'get',
  'wait',
  'advance',
  'configure',
  'answer',
  'expected',
  'allowed',
  'status',
  'set-up',
  'format',
] as const;

export type FailureCode = (typeof failureCodes)[number];

/** The expectation that failed, with its index or name: `deniedBy`, `webhooks[1].patch`, `golden pod.golden.yaml`. */
export type FailureWhat =
  | FailureCode
  | `webhooks[${number}]`
  | `webhooks[${number}].${'patch' | 'phase' | 'error' | 'warnings' | 'auditAnnotations'}`
  | `${'policies' | 'status'}.${string}`
  | `golden ${string}`
  | `auditAnnotations[${string}]`;

/** `webhooks.patch` of `webhooks[1].patch`, `golden` of `golden pod.golden.yaml`. */
export function failureCodeOf(what: FailureWhat): FailureCode {
  const code = what.startsWith('webhooks') ? what.replace(/\[\d+\]/, '') : /^[\w-]+/.exec(what)?.[0];
  return failureCodes.find((one) => one === code) ?? 'outcome';
}
