import { budgetSentence } from '../../explain/render/time-budget.ts';
import type { TimeBudget } from '../../explain/render/time-budget.ts';

/** How much of the time of a request its webhooks may take, drawn and told. */
export const TimeMeter = ({ budget }: { readonly budget: TimeBudget }) => {
  const { mutating, secondRound, validating, most, given } = budget;
  const whole = Math.max(most, given);
  const share = (seconds: number) => ({ width: `${(100 * seconds) / whole}%` });
  return (
    <div class="time-meter">
      <div class="time-track" aria-hidden="true">
        <span class="is-mutating" style={share(mutating)} />
        <span class="is-again" style={share(secondRound)} />
        <span class="is-validating" style={share(validating)} />
        <span class={given * 2 > whole ? 'bound is-last' : 'bound'} style={{ left: `${(100 * given) / whole}%` }}>
          {given} s
        </span>
      </div>
      <p class={most > given ? 'warning' : 'quiet'}>{budgetSentence(budget)}</p>
    </div>
  );
};
