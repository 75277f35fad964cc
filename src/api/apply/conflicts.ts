import { byKey } from '../../machinery/go/compare-texts.ts';
import { goQuote } from '../../machinery/meta/field-error.ts';
import { failure, type Status } from '../../machinery/meta/status.ts';
import { isLeaf, isMember, leaf, type FieldSet } from './field-set.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { sorted } from './element-order.ts';
import { pathText } from './path-element.ts';

/** The 409 of a conflicting apply. Follows apimachinery pkg/util/managedfields/internal/conflict.go. */
export function applyConflict(conflicts: ReadonlyMap<string, FieldSet>, managers: Managers): Status {
  const causes: Cause[] = [];
  for (const [identity, fields] of [...conflicts].toSorted(byKey)) {
    const name = printed(managers.get(identity));
    collectPaths(sorted(fields), [], (path) => causes.push({ name, field: pathText(path) }));
  }
  const message = messageFor(causes);
  const told = causes.map(({ name, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${name}`,
    field,
  }));
  return failure({ code: 409, reason: 'Conflict', message, details: { causes: told } });
}

interface Cause {
  readonly name: string;
  readonly field: string;
}

function messageFor(causes: readonly Cause[]): string {
  const [first] = causes;
  if (first && causes.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${first.name}: ${first.field}`;
  }
  const names = [...new Set(causes.map(({ name }) => name))];
  const lines = names.flatMap((name) => [
    `conflicts with ${name}:`,
    ...causes.filter((cause) => cause.name === name).map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${causes.length} conflicts: ${lines.join('\n')}`;
}

function printed(manager: Manager | undefined): string {
  if (!manager) return '""';
  const { operation, apiVersion, subresource } = manager;
  const through = subresource === '' ? '' : ` with subresource ${goQuote(subresource)}`;
  return `${goQuote(manager.manager)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}

/** The members of a set, then what is below its elements. Follows fieldpath/set.go Iterate. */
function collectPaths(set: FieldSet, path: readonly string[], collect: (path: readonly string[]) => unknown): void {
  const elements = Object.keys(set).filter((element) => element !== '.');
  for (const element of elements) {
    if (isMember(set[element] ?? leaf)) collect([...path, element]);
  }
  for (const element of elements) {
    const inner = set[element] ?? leaf;
    if (!isLeaf(inner)) collectPaths(inner, [...path, element], collect);
  }
}
