/** The package `kadmit`: a Kubernetes API server with its whole admission chain, for tests. docs/reference/library.md shows each function at work. */
export { ApiError } from './app/library/client.ts';
export type {
  Answer,
  ApiObject,
  ApplyOptions,
  Client,
  DeleteOptions,
  KindReference,
  ListOptions,
  MetadataLike,
  ObjectLike,
  ObjectMetadata,
  PatchOptions,
  Stored,
  Target,
  UpdateOptions,
  WriteOptions,
} from './app/library/client.ts';
export type { KadmitFaults } from './app/library/api-faults.ts';
export type { Cluster } from './app/library/cluster.ts';
export type { Manifest } from './app/library/options.ts';
export type { ConversionResponse, ConversionReview, Converter, ConverterFunction } from './app/library/converters.ts';
export { createWorld } from './app/library/create-world.ts';
export type { World, WorldOptions } from './app/library/create-world.ts';
export {
  budget,
  compat,
  diff,
  diffLog,
  explain,
  idempotency,
  importTests,
  lint,
  order,
} from './app/library/commands.ts';
export type { CompatOf, DiffLogOf, DiffOf, Imported, TrialsOf } from './app/library/commands.ts';
export { bench, replayChanges, restoreSnapshot, saveSnapshot } from './app/library/server-commands.ts';
export type { BenchOf, ReplayChangesOf, SnapshotOf } from './app/library/server-commands.ts';
export type { BenchDocument } from './testing/load/put-load.ts';
export type { Played } from './testing/record-replay/snapshot/changes/play-changes.ts';
export type { RestoreReport } from './testing/record-replay/snapshot/restore-over-api.ts';
export type { CompatReport } from './analysis/trials/compat.ts';
export type { LogReport } from './analysis/trials/replay-log.ts';
export type { RequestBudget } from './explain/trace/request-budget.ts';
export type { RequestDifference, SetsReport } from './analysis/trials/compare-sets.ts';
export type { OrderReport } from './analysis/trials/permute-request.ts';
export type { IdempotencyReport } from './analysis/trials/idempotency.ts';
export type { LintResult } from './analysis/lint/lint.ts';
export type { LintFinding } from './analysis/lint/finding.ts';
export type { ClusterOptions } from './app/library/options.ts';
export { startKadmit } from './app/library/start-kadmit.ts';
export type { Kadmit, KadmitOptions } from './app/library/start-kadmit.ts';
export type { Coverage, TraceFilter, TraceQuery, TraceWithShortcuts, Traces } from './app/library/traces.ts';
export type {
  AdmissionRequest,
  AdmissionResponse,
  AdmissionReview,
  AnswerOptions,
  Rule,
  Webhook,
  WebhookFunction,
  WebhookOptions,
} from './app/library/webhooks.ts';
export type { InjectedFault } from './app/server/client-faults.ts';
export type { ApiFault, ApiFaultKind } from './testing/stubs/api-fault.ts';
export type { Delay, Fault, FaultKind } from './testing/stubs/webhook-spec.ts';
export type { WorldRequest, WorldUser } from './testing/scenario/world.ts';
export type { OwnObject, OwnPlugin, OwnRequest } from './apiserver/admission/chain/own-plugin.ts';
export { ConfigError } from './adapters/config/config-error.ts';
