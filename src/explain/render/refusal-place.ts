import type { Trace } from '../trace/trace.ts';

/** How far a request came that the API server itself refused. */
export type RefusalPlace = 'before admission' | 'after the mutating webhooks' | 'after admission';

/** Between which stages a request was refused: of several tries in the last, unless an earlier one was admitted. */
export function refusalPlace({ stages, admission, objectReceived, overtaken }: Trace): RefusalPlace {
  if (overtaken !== undefined && stages.some(({ name, passed }) => passed && name === 'validating-admission')) {
    return 'after admission';
  }
  const last = stages.findLast(({ name, passed }) => passed && landmarks.has(name))?.name;
  if (last !== undefined) return landmarks.get(last) ?? 'before admission';
  // These run both halves inside one stage.
  if (stages.some(({ name }) => name === 'connect')) return 'after admission';
  const decided = admission.at(-1)?.phase;
  if (decided === 'validating') return 'after admission';
  return decided === 'mutating' || objectReceived !== undefined ? 'after the mutating webhooks' : 'before admission';
}

/** Stages that, once passed, tell where a try stands; `load-current` begins a new one. */
const landmarks: ReadonlyMap<string, RefusalPlace> = new Map([
  ['load-current', 'before admission'],
  ['mutating-admission', 'after the mutating webhooks'],
  ['validating-admission', 'after admission'],
]);
