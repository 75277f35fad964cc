/** The package `kadmit`: a Kubernetes API server with its whole admission chain, for tests. docs/reference/library.md shows each function at work. */
export { ApiError } from './app/library/api-error.ts';
export type {
  Answer,
  ApplyOptions,
  Client,
  DeleteOptions,
  ListOptions,
  PatchOptions,
  Target,
  UpdateOptions,
  WriteOptions,
} from './app/library/client.ts';
export type { KadmitFaults } from './app/library/api-faults.ts';
export type { AnswerOptions, Cluster, Manifest } from './app/library/cluster.ts';
export type {
  ConversionResponse,
  ConversionReview,
  Converter,
  ConverterFunction,
} from './app/library/register-function.ts';
export { createWorld } from './app/library/create-world.ts';
export type { World, WorldOptions } from './app/library/create-world.ts';
export { explain } from './app/library/explain.ts';
export { importTests } from './app/library/import-tests.ts';
export type { Imported } from './app/library/import-tests.ts';
export { lint } from './app/library/lint.ts';
export { budget, compat, diff, diffLog, idempotency, order } from './app/library/trials.ts';
export { bench, replayChanges, restoreSnapshot, saveSnapshot } from './app/library/servers.ts';
export type { BenchOf, ReplayChangesOf, SnapshotOf } from './app/library/servers.ts';
export type { BenchDocument } from './testing/load/put-load.ts';
export type { Played } from './testing/record-replay/snapshot/changes/play.ts';
export type { RestoreReport } from './testing/record-replay/snapshot/restore-over-api.ts';
export type { CompatReport } from './analysis/trials/compat.ts';
export type { LogReport } from './analysis/trials/replay-log.ts';
export type { CompatOf, DiffLogOf, DiffOf, TrialsOf } from './app/library/trials.ts';
export type { RequestBudget } from './explain/trace/request-budget.ts';
export type { RequestDifference, SetsReport } from './analysis/trials/compare-sets.ts';
export type { OrderReport } from './analysis/trials/permute-request.ts';
export type { IdempotencyReport } from './analysis/trials/idempotency.ts';
export type { LintResult } from './analysis/lint/lint.ts';
export type { LintFinding } from './analysis/lint/finding.ts';
export type {
  ApiObject,
  KindReference,
  MetadataLike,
  ObjectLike,
  ObjectMetadata,
  Stored,
} from './app/library/objects.ts';
export type { ClusterOptions } from './app/library/options.ts';
export { startKadmit } from './app/library/start-kadmit.ts';
export type { Kadmit, KadmitOptions } from './app/library/start-kadmit.ts';
export type { TraceWithShortcuts } from './app/library/traces.ts';
export type { Coverage, TraceFilter, TraceQuery, Traces } from './app/library/traces.ts';
export type {
  AdmissionRequest,
  AdmissionResponse,
  AdmissionReview,
  Rule,
  Webhook,
  WebhookFunction,
  WebhookOptions,
} from './app/library/webhook.ts';
export type { InjectedFault } from './app/server/client-faults.ts';
export type { ApiFault, ApiFaultKind } from './testing/stubs/api-fault.ts';
export type { Delay, Fault, FaultKind } from './testing/stubs/webhook-spec.ts';
export type { WorldRequest, WorldUser } from './testing/scenario/world.ts';
export type { OwnObject, OwnPlugin, OwnRequest } from './apiserver/admission/chain/own-plugin.ts';
export { ConfigError } from './adapters/config/config-error.ts';
