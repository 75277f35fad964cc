import { duplicate, required } from '../../apimachinery/field-error.ts';
import { asList, asString } from '../../apimachinery/json.ts';
import { qualifiedNameErrors } from '../../apimachinery/names.ts';
import { repeatsIn } from '../../apimachinery/repeats.ts';
import { createSeen } from '../../apimachinery/seen.ts';
import type { TopologySelectorTerm } from '../generated/core-v1.ts';
import { each, eachOf, following, when } from './field-rules.ts';
import type { Complaints } from './field-rules.ts';

/** No two terms are alike. Follows kubernetes pkg/apis/storage/validation validateAllowedTopologies. */
export function topologyErrors(terms: readonly TopologySelectorTerm[] | undefined): Complaints {
  const count = asList(terms).length;
  const alike = new Map<string, number>();
  return each(terms, 'allowedTopologies', (term, at) => {
    const key = keyOf(term);
    const before = alike.get(key) ?? 0;
    alike.set(key, before + 1);
    // Upstream compares with as many empty terms as there are terms, too.
    const repeats = before + (key === '{}' ? count : 0);
    return [
      ...termErrors(term, at),
      ...Array.from({ length: Math.min(repeats, most) }, () => duplicate(`${at}.matchLabelExpressions`, '')),
    ];
  });
}

const most = 1000;

function keyOf(term: TopologySelectorTerm): string {
  const sets = asList(term.matchLabelExpressions).map(
    ({ key, values }) => [asString(key), [...new Set(asList(values).map(asString))].toSorted()] as const,
  );
  return JSON.stringify(Object.fromEntries([...new Map(sets)].toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** Follows kubernetes pkg/apis/core/validation ValidateTopologySelectorTerm. */
function termErrors(term: TopologySelectorTerm, path: string): Complaints {
  const keys = createSeen();
  return each(term.matchLabelExpressions, `${path}.matchLabelExpressions`, ({ key, values }, at) => {
    const [name, texts] = [asString(key), asList(values).map(asString)];
    const [repeats, isRepeated] = [repeatsIn(texts), keys.isRepeated(name, at)];
    return [
      ...when(texts.length === 0, () => required(`${at}.values`, '')),
      ...eachOf(texts, (text, index) => when(repeats.has(index), () => duplicate(`${at}.values[${index}]`, text))),
      ...following(qualifiedNameErrors, `${at}.key`, name),
      ...when(isRepeated, () => duplicate(`${at}.key`, name)),
    ];
  });
}
