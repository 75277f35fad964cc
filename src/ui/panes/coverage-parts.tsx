import type { ExpressionCoverage } from '../../explain/trace/expression-coverage.ts';
import { plural } from '../words.ts';

/** `called 7 · skipped 311`. */
export const countsText = (
  counts: Readonly<Record<string, number>>,
  words: Readonly<Record<string, string>> = {},
): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${words[name] ?? name} ${count.toLocaleString('en')}`)
    .join(' · ');

/** The reasons of a trace, as people say them; selectors have their own names. */
export const skipWords: Readonly<Record<string, string>> = {
  'no-rule-matched': 'no rule matched',
  'not-reinvoked': 'not called again',
  'matchCondition-error': 'a matchCondition failed',
  exempt: 'of a kind that no webhook sees',
  'not-bound': 'no binding',
  'no-params': 'no parameter object',
};

/** An expression is exercised when it has been both true and false; where branches were counted, so is each of its parts. */
export function Expression({ expression: one }: { readonly expression: ExpressionCoverage }) {
  const { name, expression, evaluated, true: isTrue, false: isFalse, error, parts } = one;
  const isBool = isTrue + isFalse + error > 0 || evaluated === 0;
  // The whole is what the line itself tells.
  const inner = isBool ? parts.filter(({ role }) => role !== 'result') : parts;
  return (
    <li title={expression}>
      <Tick is={isBool ? isTrue > 0 && isFalse > 0 : evaluated > 0} /> {name}
      <span class="quiet">
        {isBool ? ` true ${isTrue}, false ${isFalse}` : ` used ${evaluated}`}
        {error > 0 && `, ${plural(error, 'error')}`}
      </span>
      {inner.length > 0 && (
        <ul class="ticks">
          {inner.map((part) => (
            <li key={`${part.role} ${part.expression}`}>
              <Tick is={part.true > 0 && part.false > 0} /> <code>{part.expression}</code>
              <span class="quiet">
                {` ${roleWords[part.role]}: true ${part.true}, false ${part.false}`}
                {part.error > 0 && `, ${plural(part.error, 'error')}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

const roleWords = {
  result: 'whole',
  operand: 'operand',
  condition: 'condition of ?:',
  macro: 'macro',
  element: 'each element',
} as const;

export const Tick = ({ is }: { readonly is: boolean }) => (
  <span class={is ? 'tick-yes' : 'tick-no'}>
    <span aria-hidden="true">{is ? '✓' : '○'}</span>
    <span class="visually-hidden">{is ? 'exercised' : 'not exercised'}</span>
  </span>
);
