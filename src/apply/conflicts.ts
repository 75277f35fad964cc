import { goQuote } from '../apimachinery/field-error.ts';
import type { Steps } from '../apimachinery/pause.ts';
import { failure } from '../apimachinery/status.ts';
import type { Status } from '../apimachinery/status.ts';
import { isMember, leaf } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { Manager, Managers } from './managed-fields.ts';
import { sorted } from './element-order.ts';
import { pathText } from './path-element.ts';

/**
 * In steps: the 409 for an apply that would change fields of others. Managers come in the order of their identities.
 * Follows apimachinery pkg/util/managedfields/internal/conflict.go.
 */
export function* applyConflict(conflicts: ReadonlyMap<string, FieldSet>, managers: Managers): Steps<Status> {
  const causes: Cause[] = [];
  for (const [identity, fields] of [...conflicts].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    yield;
    const name = printed(managers.get(identity));
    const paths = pathsOf(sorted(fields));
    for (const [at, path] of paths.entries()) {
      causes.push({ name, field: pathText(path) });
      if (at % 1000 === 0) yield;
    }
  }
  return failure({
    code: 409,
    reason: 'Conflict',
    message: messageFor(causes),
    details: {
      causes: causes.map(({ name, field }) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${name}`,
        field,
      })),
    },
  });
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
function pathsOf(set: FieldSet, path: readonly string[] = []): readonly (readonly string[])[] {
  const elements = Object.keys(set).filter((element) => element !== '.');
  return [
    ...elements.filter((element) => isMember(set[element] ?? leaf)).map((element) => [...path, element]),
    ...elements.flatMap((element) => pathsOf(set[element] ?? leaf, [...path, element])),
  ];
}
