import { reinvocationPolicyOf } from '../../machinery/meta/webhook-fields.ts';
import type { TracedDecision } from '../trace/trace.ts';

/** How to reorder the two so that `late` is called first. */
export function orderRemedy(early: TracedDecision, late: TracedDecision): string {
  if (early.type === 'policy' && late.type === 'policy') {
    return `policies go by name: let ${late.name} sort before ${early.name}`;
  }
  if (early.type !== 'webhook' || late.type !== 'webhook') {
    return 'policies change an object before all webhooks: do both with policies, or both with webhooks';
  }
  if (early.configuration === late.configuration) {
    return `in configuration ${early.configuration}, put ${late.name} before ${early.name}`;
  }
  return `configurations go by name: rename one, so that ${late.configuration} sorts before ${early.configuration}`;
}

/** Why `late` is called after `early`, following `since`. */
export function whyLater(early: TracedDecision, late: TracedDecision): string {
  if (late.round > early.round) return 'it is called again in the second round';
  if (early.type === 'policy' && late.type === 'policy') return `policy ${late.name} sorts after ${early.name}`;
  if (early.type !== 'webhook' || late.type !== 'webhook') return 'policies come before webhooks';
  return early.configuration === late.configuration
    ? `it stands behind it in configuration ${late.configuration}`
    : `configuration ${late.configuration} sorts after ${early.configuration}`;
}

/** Never when it has none, and for plugins. */
export function reinvocationOf(decision: TracedDecision): 'Never' | 'IfNeeded' {
  if (decision.type === 'plugin') return 'Never';
  return reinvocationPolicyOf(decision.definition ?? {});
}

/** Why it is not called again; undefined when only a refusal prevented that. */
export function whyNotAgain(decision: TracedDecision): string | undefined {
  if (reinvocationOf(decision) === 'Never') return 'its reinvocationPolicy is Never';
  return decision.round === 1 ? 'there is no third round' : undefined;
}
