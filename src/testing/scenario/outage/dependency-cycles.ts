import type { OutageBackend } from './backends.ts';
import { findBlockers, type WriteResult } from './outage-run.ts';
import type { StandardWrite } from './standard-writes.ts';
import type { BlockingWebhook } from './report.ts';

/** A backend cannot recover unless another (or itself) answers: a webhook of that one intercepts a write it needs. */
export interface Dependency {
  readonly backend: string;
  readonly on: BlockingWebhook;
  /** Refused while the other is down. */
  readonly writes: readonly StandardWrite[];
}

/** Per backend of the cluster, for one outage. */
export function dependenciesIn(
  tried: readonly WriteResult[],
  backends: readonly OutageBackend[],
): readonly Dependency[] {
  const needs = new Map<string, Dependency>();
  for (const { write, answer } of tried.filter((one) => one.answer.code >= 400)) {
    for (const on of findBlockers(answer, backends)) {
      for (const { name: backend } of backends.filter((one) => isNeeded(write, one))) {
        const key = [backend, on.configuration, on.name, on.rule].join(' ');
        const known = needs.get(key);
        needs.set(key, { backend, on, writes: [...(known?.writes ?? []), write] });
      }
    }
  }
  return [...needs.values()];
}

export const isNeeded = ({ neededBy }: StandardWrite, { name, namespace }: OutageBackend): boolean =>
  namespace !== undefined && neededBy !== 'none' && (neededBy === 'all' || neededBy.includes(name));

/**
 * Waves of recovery after a full outage: backends without needs, then those that need only recovered ones, and so on. The rest is
 * deadlocked.
 */
export function recoveryOrder(names: readonly string[], needs: readonly Dependency[]): readonly (readonly string[])[] {
  const waves: (readonly string[])[] = [];
  for (;;) {
    const back = new Set(waves.flat());
    const wave = names.filter(
      (name) => !back.has(name) && needs.every(({ backend, on }) => backend !== name || back.has(on.backend)),
    );
    if (wave.length === 0) return waves;
    waves.push(wave);
  }
}

/** Needs within a cycle, of a backend on itself too. */
export function dependencyCycles(needs: readonly Dependency[]): readonly Dependency[] {
  return needs.filter(({ backend, on }) => neededBy(on.backend, needs).has(backend));
}

/** Everything that must recover before this one, and itself. */
function neededBy(name: string, needs: readonly Dependency[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [name];
  for (const current of open) {
    for (const { backend, on } of needs) {
      if (backend !== current || found.has(on.backend)) continue;
      found.add(on.backend);
      open.push(on.backend);
    }
  }
  return found.add(name);
}
