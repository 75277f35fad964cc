import type { Backend } from './backends.ts';
import { blockersOf } from './drill.ts';
import type { Tried } from './drill.ts';
import type { EverydayWrite } from './everyday-writes.ts';
import type { BlockingWebhook } from './report.ts';

/** A backend needs another one (or itself) to answer, since a webhook of it takes what the first needs to come back. */
export interface Need {
  readonly backend: string;
  readonly on: BlockingWebhook;
  /** The writes that are refused while the other one is down. */
  readonly writes: readonly EverydayWrite[];
}

/** What each backend of the cluster needs of the one that was down alone. */
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

/** Can the backend not come back without this write? */
export const isNeeded = ({ neededBy }: EverydayWrite, { name, namespace }: Backend): boolean =>
  namespace !== undefined && neededBy !== 'none' && (neededBy === 'all' || neededBy.includes(name));

/**
 * In which order the backends come back after all were down: first those that need none of the others, then those that
 * need only these, and so on. Those that are left can never come back: each waits for another, or for itself.
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

/** The needs that tie a knot: those of which the one that is needed needs the other in turn, or is the same. */
export function knotsAmong(needs: readonly Need[]): readonly Need[] {
  return needs.filter(({ backend, on }) => neededBy(on.backend, needs).has(backend));
}

/** Everything that must be back before this one, itself only if it needs itself. */
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
