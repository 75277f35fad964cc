import type { LintHook } from '../model/lint-set.ts';
import { type LintCheck, hookName, inHook } from '../model/report.ts';

/** Reinvocation repeats side effects. */
export const againWithSideEffects: LintCheck = ({ hooks }) =>
  hooks
    .filter(
      ({ phase, webhook }) =>
        phase === 'mutating' && webhook.reinvocationPolicy === 'IfNeeded' && webhook.sideEffects !== 'None',
    )
    .map((hook) => ({
      ...inHook(hook, 'reinvocationPolicy', { reinvocationPolicy: 'Never' }),
      rule: 'again-with-side-effects',
      severity: 'warning',
      title: `${hookName(hook)} asks to be called again (IfNeeded) and has side effects (${hook.webhook.sideEffects ?? 'unknown'})`,
      harm: 'when another webhook changes the object after it, what it does outside (an entry, a certificate, a count) happens twice for one request, and once for one that is refused later',
      remedy: 'move the side effects into a controller, or be called once',
    }));

/** Several webhooks mutate the same resource: earlier ones do not see later changes. */
export const calledTooEarlyRule: LintCheck = ({ hooks }) => {
  const mutators = hooks.filter(({ phase }) => phase === 'mutating');
  return mutators.flatMap((hook, index) => {
    if (hook.webhook.reinvocationPolicy === 'IfNeeded') return [];
    const later = mutators.slice(index + 1).filter((other) => other.at !== hook.at && sharesPods(hook, other));
    const [first] = later;
    if (first === undefined) return [];
    return [
      {
        ...inHook(hook, 'reinvocationPolicy', { reinvocationPolicy: 'IfNeeded' }),
        rule: 'called-too-early',
        severity: 'note',
        title: `${hookName(hook)} is called before ${first.webhook.name} of ${first.at.name}, and not again (reinvocationPolicy Never)`,
        harm: `containers, volumes and labels that ${first.webhook.name} adds to a Pod are not seen by it: a sidecar without credentials, an image that is not rewritten`,
        remedy: 'IfNeeded, if it can be called with its own result',
      },
    ];
  });
};

const sharesPods = (one: LintHook, other: LintHook): boolean => seesPods(one) && seesPods(other);

const seesPods = ({ seen }: LintHook): boolean =>
  seen.some(({ row, operation }) => row.resource === 'pods' && row.subresource === '' && operation === 'CREATE');
