import type { JsonObject } from '../../machinery/json/json.ts';
import type { GroupVersionResource } from '../../machinery/meta/gvk.ts';
import type { BuiltinCodec } from '../codec/create-codec.ts';
import type { ProtobufCodec } from '../codec/protobuf/protobuf.ts';
import type { InWords } from '../messages/older-words.ts';
import type { StrategyFor } from '../strategy/strategy-for.ts';
import type { BuiltinTypes, TypeTables } from '../types/builtin-types.ts';
import type { CompactGroup } from '../types/catalogue/builtin-rows.ts';
import type { LiveCatalogue } from '../types/catalogue/create-catalogue.ts';
import type { IsServed, ServedApis } from '../types/catalogue/served-apis.ts';
import type { FeatureGates, FeatureGatesReading } from '../types/features/feature-gates.ts';

/** One release of Kubernetes: its built-in kinds and all that is made of their tables. Several may live side by side. */
export interface Release {
  /** 36 of 1.36. */
  readonly minor: number;
  readonly types: BuiltinTypes;
  readonly codec: BuiltinCodec;
  /** A catalogue of the built-in resources that are served; without a word about it, those of stable versions. */
  readonly createCatalogue: (isServed?: IsServed) => LiveCatalogue;
  readonly strategyFor: StrategyFor;
  /** The strategies where flags have switched features on or off. */
  readonly strategiesWith: (features: FeatureGates) => StrategyFor;
  /** Loads what speaks protobuf, once. */
  readonly loadProtobuf: () => Promise<ProtobufCodec>;
  /** The columns of a resource's table; undefined for one without columns of its own. */
  readonly columnsOf: (resource: GroupVersionResource) => readonly ColumnDefinition[] | undefined;
  /** Those that the printers print: of 1.36. */
  readonly printedColumnsOf: (resource: GroupVersionResource) => readonly ColumnDefinition[] | undefined;
  /** What every request for a deprecated resource is warned of. Follows apiserver pkg/endpoints/deprecation/deprecation.go. */
  readonly deprecationOf: (resource: GroupVersionResource) => string | undefined;
  readonly bootstrapRbac: JsonObject;
  /** Complaints about fields as this release puts them. */
  readonly inWords: InWords;
  readonly readFeatureGates: (texts: readonly string[]) => FeatureGatesReading;
  readonly readServedApis: (texts: readonly string[], features: FeatureGates) => ServedApis;
}

/** What differs from one release of Kubernetes to the next, as data. */
export interface ReleaseTables {
  readonly types: TypeTables;
  /** In discovery order. */
  readonly resources: readonly CompactGroup[];
  /** Of tables, by `group/version/resource`. */
  readonly columns: Readonly<Record<string, readonly ColumnDefinition[]>>;
  /** The roles and bindings of a fresh server: `clusterroles`, `clusterrolebindings`, `roles`, `rolebindings`. */
  readonly bootstrapRbac: JsonObject;
  /** `beta on SomeOtherGate`, by name. */
  readonly featureGates: Readonly<Record<string, string>>;
  /** What every request for a deprecated resource is warned of, by `group/version/resource`. */
  readonly deprecations: Readonly<Record<string, string>>;
}

/** A column of a table as a release publishes it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}
