import { type StubPlan, planOf } from '../../testing/stubs/plan.ts';
import type { Fault } from '../../testing/stubs/webhook-spec.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { WebhookFunction, WebhookOptions } from './webhook.ts';

// For programs without types: what the compiler would have found.

/** Throws ConfigError for what cannot be the options of a webhook. */
export function checkOptions(name: string, { type, rules }: WebhookOptions): void {
  if (!['mutating', 'validating'].includes(type)) {
    throw new ConfigError(`webhook ${name}: type must be 'mutating' or 'validating'`);
  }
  if (!Array.isArray(rules) || rules.some((rule) => !Array.isArray(rule?.resources))) {
    const example = "[{ operations: ['CREATE'], resources: ['pods'] }]";
    throw new ConfigError(`webhook ${name}: rules must be a list such as ${example}`);
  }
}

/** Throws ConfigError for what is no function, and for a fault that nobody knows. */
export function checkAnswer(name: string, answer: WebhookFunction, faults: readonly Fault[]): void {
  if (typeof answer !== 'function') throw new ConfigError(`webhook ${name}: a function must answer for it`);
  checkFaults(name, faults);
}

/** Throws ConfigError for a fault that nobody knows. */
export function checkFaults(name: string, faults: readonly Fault[]): void {
  const unknown = faults.find((fault) => !isKnown(fault));
  if (unknown === undefined) return;
  const example = "{ what: { type: 'hang' } }";
  throw new ConfigError(`webhook ${name}: ${JSON.stringify(unknown)} is no fault; one is ${example}`);
}

function isKnown(fault: Fault): boolean {
  try {
    const plan: StubPlan | undefined = planOf(fault.what, () => 0);
    return plan !== undefined;
  } catch {
    return false;
  }
}
