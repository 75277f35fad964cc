import type { Random } from '../apimachinery/clock.ts';
import type { Fields } from '../apimachinery/decode-fields.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { readExpression } from './expression.ts';
import type { StageReader } from './expression.ts';
import type { Stage } from './stage.ts';

/** A number, or an expression that gives one. Follows KWOK pkg/utils/lifecycle/value_int_from.go. */
export function readWeight(reader: StageReader, spec: Fields): Stage['weightOf'] {
  const place = { struct: 'StageSpec', path: 'spec' };
  const weight = reader.fields.whole(spec, 'weight', place, 'int');
  const ask = readExpression(
    reader,
    reader.fields.object(spec, 'weightFrom', place, 'ExpressionFrom'),
    'spec.weightFrom',
  );
  if (!ask) return () => weight;
  return (object) => {
    const said = ask(object)[0];
    if (typeof said === 'number' || typeof said === 'bigint') return Math.trunc(Number(said));
    if (typeof said !== 'string') return weight;
    return /^[+-]?(?:0x[\da-f]+|\d+)$/i.test(said) ? Number(said) : undefined;
  };
}

/**
 * The Stage that an object goes through next: of those that match one by chance, the heavier the likelier.
 * Follows KWOK pkg/utils/lifecycle/lifecycle.go Match.
 */
export function chooseStage(stages: readonly Stage[], object: KubernetesObject, random: Random): Stage | undefined {
  const matching = stages.filter(({ matches }) => matches(object));
  if (matching.length < 2) return matching[0];
  const weighed = matching.map((stage) => ({ stage, weight: stage.weightOf(object) }));
  const sum = weighed.reduce((total, { weight = 0 }) => total + weight, 0);
  if (sum <= 0) {
    const known = weighed.filter(({ weight }) => weight !== undefined);
    const equal = known.length === 0 ? weighed : known;
    return equal[Math.floor(random() * equal.length)]?.stage;
  }
  let rest = Math.floor(random() * sum);
  for (const { stage, weight = 0 } of weighed) {
    if (weight <= 0) continue;
    rest -= weight;
    if (rest < 0) return stage;
  }
  return matching.at(-1);
}
