import type { JsonObject } from '../../machinery/json/json.ts';
import type { GroupVersionResource } from '../../machinery/meta/gvk.ts';
import type { BuiltinCodec } from '../codec/create-codec.ts';
import type { ProtobufCodec } from '../codec/protobuf/protobuf.ts';
import type { FormatErrorsForRelease } from '../messages/format-older-errors.ts';
import type { StrategyFor } from '../strategy/strategy-for.ts';
import type { BuiltinTypes, TypeTables } from '../types/builtin-types.ts';
import type { CompactGroup } from '../types/catalogue/catalogue.ts';
import type { LiveCatalogue } from '../types/catalogue/create-catalogue.ts';
import type { IsServed, ServedApis } from '../types/catalogue/served-apis.ts';
import type { FeatureGates, FeatureGatesReading } from '../types/features/feature-gates.ts';

/** Several releases can be used side by side. */
export interface Release {
  /** 37 for 1.37. */
  readonly minor: number;
  readonly types: BuiltinTypes;
  readonly codec: BuiltinCodec;
  /** By default with stable versions only. */
  readonly createCatalogue: (isServed?: IsServed) => LiveCatalogue;
  readonly strategyFor: StrategyFor;
  readonly isOn: (gate: string) => boolean;
  /** This release with feature gates changed by flags. */
  readonly withGates: (features: FeatureGates) => Release;
  readonly loadProtobuf: () => Promise<ProtobufCodec>;
  /** undefined for a resource without columns of its own. */
  readonly columnsOf: (resource: GroupVersionResource) => readonly ColumnDefinition[] | undefined;
  /** The columns that the printers fill: those of the newest release. */
  readonly printedColumnsOf: (resource: GroupVersionResource) => readonly ColumnDefinition[] | undefined;
  /** The warning for a deprecated resource. Follows apiserver pkg/endpoints/deprecation/deprecation.go. */
  readonly deprecationOf: (resource: GroupVersionResource) => string | undefined;
  readonly bootstrapRbac: JsonObject;
  readonly formatErrors: FormatErrorsForRelease;
  readonly readFeatureGates: (texts: readonly string[]) => FeatureGatesReading;
  readonly readServedApis: (texts: readonly string[], features: FeatureGates) => ServedApis;
}

/** The data that differs between Kubernetes releases. */
export interface ReleaseTables {
  readonly types: TypeTables;
  /** In discovery order. */
  readonly resources: readonly CompactGroup[];
  /** By `group/version/resource`. */
  readonly columns: Readonly<Record<string, readonly ColumnDefinition[]>>;
  /** `clusterroles`, `clusterrolebindings`, `roles`, `rolebindings`. */
  readonly bootstrapRbac: JsonObject;
  /** `beta on SomeOtherGate`, by name. */
  readonly featureGates: Readonly<Record<string, string>>;
  /** Warnings by `group/version/resource`. */
  readonly deprecations: Readonly<Record<string, string>>;
}

export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}
