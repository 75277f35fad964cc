import { duplicate, required } from '../../../machinery/meta/field-error.ts';
import { asList, asString } from '../../../machinery/json/json.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { isDuplicate, repeatsIn } from '../../../machinery/repeats.ts';
import type { TopologySelectorTerm } from '../../types/generated/core-v1.ts';
import { each, eachOf, following, when } from '../field-rules.ts';
import type { Complaints } from '../field-rules.ts';

/** No two terms are alike. Follows kubernetes pkg/apis/storage/validation validateAllowedTopologies. */
export function topologyErrors(terms: readonly TopologySelectorTerm[] | undefined): Complaints {
  const count = asList(terms).length;
  const keys = asList(terms).map(keyOf);
  const before = earlierAlike(keys);
  return each(terms, 'allowedTopologies', (term, at, index) => {
    // Upstream compares with as many empty terms as there are terms, too.
    const repeats = (before[index] ?? 0) + (keys[index] === '' ? count : 0);
    return [
      ...termErrors(term, at),
      ...Array.from({ length: Math.min(repeats, most) }, () => duplicate(`${at}.matchLabelExpressions`, '')),
    ];
  });
}

const most = 1000;

/** Of every text, how often it has stood in the list before. */
function earlierAlike(texts: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  return texts.map((text) => {
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    return before;
  });
}

/** The same for terms of the same keys with the same values, in whatever order; '' for one without keys. */
function keyOf(term: TopologySelectorTerm): string {
  const sets = new Map<string, string>();
  for (const { key, values } of asList(term.matchLabelExpressions)) {
    sets.set(asString(key), JSON.stringify([...new Set(asList(values).map(asString))].sort()));
  }
  return [...sets]
    .map(([key, values]) => JSON.stringify(key) + values)
    .sort()
    .join();
}

/** Follows kubernetes pkg/apis/core/validation ValidateTopologySelectorTerm. */
function termErrors(term: TopologySelectorTerm, path: string): Complaints {
  const keys = new Set<string>();
  return each(term.matchLabelExpressions, `${path}.matchLabelExpressions`, ({ key, values }, at) => {
    const [name, texts] = [asString(key), asList(values).map(asString)];
    const [repeats, isRepeated] = [repeatsIn(texts), isDuplicate(keys, name)];
    return [
      ...when(texts.length === 0, () => required(`${at}.values`, '')),
      ...eachOf(texts, (text, index) => when(repeats.has(index), () => duplicate(`${at}.values[${index}]`, text))),
      ...following(qualifiedNameErrors, `${at}.key`, name),
      ...when(isRepeated, () => duplicate(`${at}.key`, name)),
    ];
  });
}
