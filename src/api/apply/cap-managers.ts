import { compareTexts } from '../../machinery/go/compare-texts.ts';
import { union } from './field-set.ts';
import { identityOf, secondsOf } from './managed-fields.ts';
import type { Manager, Managers } from './managed-fields.ts';

const mostUpdaters = 10;

/**
 * Of more than ten managers by update the oldest are merged, those of one version into one called ancient-changes.
 * Follows apimachinery pkg/util/managedfields/internal/capmanagers.go.
 */
export function capManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= mostUpdaters) return managers;
  updaters.sort(([a, first], [b, second]) => secondsOf(first) - secondsOf(second) || compareTexts(a, b));
  const capped = new Map(managers);
  const firstOf = new Map<string, string>();
  let count = updaters.length;
  for (const [identity, manager] of updaters) {
    if (count <= mostUpdaters) break;
    const first = firstOf.get(manager.apiVersion);
    if (first === undefined) {
      firstOf.set(manager.apiVersion, identity);
      continue;
    }
    mergeInto(capped, manager, first);
    if (identity !== bucketOf(manager.apiVersion)) capped.delete(identity);
    count -= 1;
  }
  return capped;
}

const ancientChanges = 'ancient-changes';

const bucketOf = (apiVersion: string): string =>
  identityOf({ manager: ancientChanges, operation: 'Update', apiVersion, subresource: '' });

/** Adds a manager's fields to its version's bucket, which begins with the first manager of that version. */
function mergeInto(capped: Map<string, Manager>, { apiVersion, time, fields }: Manager, first: string): void {
  const bucket = bucketOf(apiVersion);
  const older = capped.get(bucket) ?? capped.get(first);
  if (!capped.has(bucket)) capped.delete(first);
  const merged = older ? union(older.fields, fields) : fields;
  capped.set(bucket, {
    manager: ancientChanges,
    operation: 'Update',
    apiVersion,
    subresource: '',
    time, // That of the merged one: it is more recent.
    fields: merged,
  });
}
