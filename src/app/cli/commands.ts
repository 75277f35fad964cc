import type { Command } from './command.ts';

/** In the order of `kadmit --help`. Each is loaded on demand. */
const loaders: Readonly<Record<string, () => Promise<Command>>> = {
  dev: async () => (await import('./dev/dev.ts')).devCommand,
  run: async () => (await import('./in-pod/run-in-pod.ts')).runInPodCommand,
  envtest: async () => (await import('./envtest/envtest.ts')).envtestCommand,
  cel: async () => (await import('./cel/cel.ts')).celCommand,
  mcp: async () => (await import('./mcp/mcp.ts')).mcpCommand,
  explain: async () => (await import('./explain/explain.ts')).explainCommand,
  requests: async () => (await import('./requests/requests.ts')).requestsCommand,
  chain: async () => (await import('./chain/chain.ts')).chainCommand,
  trace: async () => (await import('./trace/trace.ts')).traceCommand,
  replay: async () => (await import('./replay/replay.ts')).replayCommand,
  test: async () => (await import('./test/test.ts')).testCommand,
  record: async () => (await import('./record/record.ts')).recordCommand,
  import: async () => (await import('./import/import.ts')).importCommand,
  bench: async () => (await import('./bench/bench.ts')).benchCommand,
  lint: async () => (await import('./lint/lint.ts')).lintCommand,
  budget: async () => (await import('./budget/budget.ts')).budgetCommand,
  order: async () => (await import('./trials/order.ts')).orderCommand,
  idempotency: async () => (await import('./trials/idempotency.ts')).idempotencyCommand,
  diff: async () => (await import('./diff/diff.ts')).diffCommand,
  compat: async () => (await import('./trials/compat.ts')).compatCommand,
  serve: async () => (await import('./serve/serve.ts')).serveCommand,
  map: async () => (await import('./map/map.ts')).mapCommand,
  user: async () => (await import('./user/user.ts')).userCommand,
  snapshot: async () => (await import('./snapshot/snapshot.ts')).snapshotCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  completion: async () => (await import('./completion/completion.ts')).completionCommand,
};

export const commandNames: readonly string[] = Object.keys(loaders);

export const importCommandOf = (name: string): Promise<Command> | undefined =>
  Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;

export const loadCommands = (): Promise<readonly Command[]> =>
  Promise.all(Object.values(loaders).map((load) => load()));
