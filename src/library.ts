/** The package `kadmit`: a Kubernetes API server with its whole admission chain, for tests. docs/library.md shows each function at work. */
export { ApiError } from './library/api-error.ts';
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
} from './library/client.ts';
export type { KadmitFaults } from './library/api-faults.ts';
export type { AnswerOptions, Cluster, Manifest } from './library/cluster.ts';
export type { ConversionResponse, ConversionReview, Converter, ConverterFunction } from './library/converter.ts';
export { createWorld } from './library/create-world.ts';
export type { World, WorldOptions } from './library/create-world.ts';
export { explain } from './library/explain.ts';
export { importTests } from './library/import-tests.ts';
export type { Imported } from './library/import-tests.ts';
export { lint } from './library/lint.ts';
export { budget, diff, permute, refeed, replayLog, upgrade } from './library/trials.ts';
export { load, replayChanges, restoreSnapshot, saveSnapshot } from './library/servers.ts';
export type { LoadOf, ReplayChangesOf, SnapshotOf } from './library/servers.ts';
export type { LoadDocument } from './testing/load/put-load.ts';
export type { Played } from './testing/record-replay/snapshot/changes/play.ts';
export type { Restored } from './testing/record-replay/snapshot/restore-over-api.ts';
export type { UpgradeReport } from './analysis/trials/upgrade.ts';
export type { LogReport } from './analysis/trials/replay-log.ts';
export type { DiffOf, ReplayOf, TrialsOf, UpgradeOf } from './library/trials.ts';
export type { RequestBudget } from './explain/trace/request-budget.ts';
export type { RequestDifference, SetsReport } from './analysis/trials/compare-sets.ts';
export type { PermuteReport } from './analysis/trials/permute.ts';
export type { RefeedReport } from './analysis/trials/refeed.ts';
export type { LintResult } from './analysis/lint/lint.ts';
export type { LintFinding } from './analysis/lint/finding.ts';
export type { ApiObject, KindReference, MetadataLike, ObjectLike, ObjectMetadata, Stored } from './library/objects.ts';
export type { ClusterOptions } from './library/options.ts';
export { startKadmit } from './library/start-kadmit.ts';
export type { Kadmit, KadmitOptions } from './library/start-kadmit.ts';
export type { ToldTrace } from './library/told-trace.ts';
export type { Coverage, TraceFilter, TraceQuery, Traces } from './library/traces.ts';
export type {
  AdmissionRequest,
  AdmissionResponse,
  AdmissionReview,
  Rule,
  Webhook,
  WebhookFunction,
  WebhookOptions,
} from './library/webhook.ts';
export type { StruckRequest } from './serve/client-faults.ts';
export type { ApiFault, ApiFaultKind } from './testing/stubs/api-fault.ts';
export type { Delay, Fault, FaultKind } from './testing/stubs/webhook-spec.ts';
export type { WorldRequest, WorldUser } from './testing/scenario/world.ts';
export type { OwnObject, OwnPlugin, OwnRequest } from './apiserver/admission/chain/own-plugin.ts';
export { ConfigError } from './adapters/config/config-error.ts';
