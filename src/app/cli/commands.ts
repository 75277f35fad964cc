import type { Command } from './command.ts';

/** The commands, in the order of `kadmit --help` within their groups. Each is loaded only when it is needed. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import('./in-pod/run-in-pod.ts')).runInPod,
  envtest: async () => (await import('./envtest/envtest.ts')).envtest,
  cel: async () => (await import('./cel/cel.ts')).cel,
  explain: async () => (await import('./explain/explain.ts')).explain,
  requests: async () => (await import('./requests/requests.ts')).requests,
  chain: async () => (await import('./chain/chain.ts')).chain,
  trace: async () => (await import('./trace/trace.ts')).trace,
  replay: async () => (await import('./replay/replay.ts')).replay,
  test: async () => (await import('./test/test.ts')).test,
  record: async () => (await import('./record/record.ts')).record,
  import: async () => (await import('./import/import.ts')).importTests,
  load: async () => (await import('./load/load.ts')).load,
  lint: async () => (await import('./lint/lint.ts')).lint,
  budget: async () => (await import('./budget/budget.ts')).budget,
  permute: async () => (await import('./trials/permute.ts')).permute,
  refeed: async () => (await import('./trials/refeed.ts')).refeed,
  diff: async () => (await import('./diff/diff.ts')).diff,
  upgrade: async () => (await import('./trials/upgrade.ts')).upgrade,
  serve: async () => (await import('./serve/serve.ts')).serve,
  map: async () => (await import('./map/map.ts')).map,
  snapshot: async () => (await import('./snapshot/snapshot.ts')).snapshot,
  doctor: async () => (await import('./doctor/doctor.ts')).doctor,
  completion: async () => (await import('./completion/completion.ts')).completion,
};

export const commandNames: readonly string[] = Object.keys(loaders);

/** undefined: there is no such command. */
export const loadCommand = (name: string): Promise<Command> | undefined =>
  Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;

export const loadCommands = (): Promise<readonly Command[]> =>
  Promise.all(Object.values(loaders).map((load) => load()));
