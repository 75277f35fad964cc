import type { Backend } from './backends.ts';
import { blockersOf, type Tried } from './drill.ts';
import type { EverydayWrite } from './everyday-writes.ts';
import type { BlockingWebhook } from './report.ts';

/** A backend cannot recover unless another (or itself) answers: a webhook of that one intercepts a write it needs. */
export interface Need {
  readonly backend: string;
  readonly on: BlockingWebhook;
  /** Refused while the other is down. */
  readonly writes: readonly EverydayWrite[];
}

/** Per backend of the cluster, for one outage. */
export function needsOn(tried: readonly Tried[], backends: readonly Backend[]): readonly Need[] {
  const needs = new Map<string, Need>();
  for (const { write, answer } of tried.filter((one) => one.answer.code >= 400)) {
    for (const on of blockersOf(answer, backends)) {
      for (const { name: backend } of backends.filter((one) => isNeeded(write, one))) {
        const key = [backend, on.configuration, on.name, on.rule].join(' ');
        const known = needs.get(key);
        needs.set(key, { backend, on, writes: [...(known?.writes ?? []), write] });
      }
    }
  }
  return [...needs.values()];
}

export const isNeeded = ({ neededBy }: EverydayWrite, { name, namespace }: Backend): boolean =>
  namespace !== undefined && neededBy !== 'none' && (neededBy === 'all' || neededBy.includes(name));

/**
 * Waves of recovery after a full outage: backends without needs, then those that need only recovered ones, and so on. The rest is
 * deadlocked.
 */
export function recoveryOrder(names: readonly string[], needs: readonly Need[]): readonly (readonly string[])[] {
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
export function knotsAmong(needs: readonly Need[]): readonly Need[] {
  return needs.filter(({ backend, on }) => neededBy(on.backend, needs).has(backend));
}

/** Everything that must recover before this one, and itself. */
function neededBy(name: string, needs: readonly Need[]): ReadonlySet<string> {
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
